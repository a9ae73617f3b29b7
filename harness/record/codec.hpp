// SPDX-License-Identifier: Apache-2.0
// Records as text and as files. Reading is strict and bounded: a wrong type, NaN, a negative time, a duplicate case, an
// unknown schema or a truncated file is an error that names file, place (JSON pointer) and what was expected there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/atomic_file.hpp"
#include "harness/base/result.hpp"
#include "harness/record/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::json {
class JsonWriter;
}

namespace torchgate::record {

/// Larger files are refused unread: about ten times the largest expected run.
inline constexpr std::int64_t max_record_bytes = 256LL << 20;
inline constexpr std::int64_t max_samples_bytes = 1LL << 30;

/// The run as JSON (schema torchgate.run/1), without raw samples. Same run, same bytes.
std::string to_json(const Run& run);
/// `where` names the source in error messages.
base::Result<Run> run_from_json(std::string_view text, const std::string& where);

std::string to_json(const ProcessReport& report);
base::Result<ProcessReport> process_report_from_json(std::string_view text, const std::string& where);

/// MACHINE as members of the object that JSON is in, as a record has them.
void write_machine(json::JsonWriter& json, const Machine& machine);
/// What `torchgate doctor --json` printed: its keys and facts, and its rows as checks_before.
base::Result<Machine> machine_from_doctor(std::string_view text, const std::string& where);

/// Writes PATH and, when the run holds raw samples, PATH's folder/<sha256>.samples beside it. Atomic: both are written to
/// temporary names, synced and renamed, the record last. Sets run.samples. Refuses to replace a file unless `replace`.
base::Result<void> save_run(Run& run, const std::filesystem::path& path, bool replace);

/// A run as the bytes of its two files, for a store that is not a folder.
struct RunBytes {
  std::string record;
  std::string samples;  ///< empty: the run holds no raw samples in memory
};

/// Checks that both can be read back. Sets run.samples, as save_run() does. `where` names the run in error messages.
base::Result<RunBytes> bytes_of_run(Run& run, const std::string& where);

/// Fills Measurement::samples of a loaded run from BYTES; the same checks as load_samples().
base::Result<void> fill_samples(Run& run, std::string_view bytes, const std::string& where);

/// Reads the record only: Measurement::samples are empty.
base::Result<Run> load_run(const std::filesystem::path& path, base::Links links = base::Links::followed);

/// Fills Measurement::samples of a loaded run from the samples file beside `record_path`; checks its hash, its size and
/// that every series belongs to a measurement. not_found when it was pruned.
base::Result<void> load_samples(Run& run, const std::filesystem::path& record_path);

}  // namespace torchgate::record
