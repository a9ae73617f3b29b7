// SPDX-License-Identifier: Apache-2.0
// Saves a run while it is measured, so that kill -9 costs only the running process: FOLDER/<id>.part has run.json
// (the plan, cases and machine) and one record per process that ended, each complete or absent. Written in pieces:
// saved pieces are never written again, however long the run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/machine_lock.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

inline constexpr const char* journal_extension = ".part";

/// A file and the hash of its content.
struct FileHash {
  std::filesystem::path path;
  std::string sha256;
};

/// The facts that the suite of a process reported.
struct ProcessFacts {
  std::int64_t index = 0;  ///< Process::index
  std::vector<record::Parameter> facts;
};

/// An unfinished run, read from its journal.
struct Unfinished {
  std::filesystem::path folder;  ///< of its journal
  record::Run run;               ///< `interrupted`, with raw samples; processes in the order of the schedule
  std::vector<ProcessFacts> facts;
  std::vector<FileHash> executables;           ///< of all suites
  std::string save_as;                         ///< the name to save it under; empty: its id
  std::chrono::system_clock::time_point last;  ///< when the last piece was written
};

/// Summary of an unfinished run, without reading all of it.
struct UnfinishedEntry {
  std::string id;
  std::filesystem::path folder;
  std::int64_t processes = 0;  ///< saved ones
  std::int64_t sides = 1;
  std::string created;
  std::string save_as;   ///< as in Unfinished
  bool in_work = false;  ///< in use by another torchgate process
};

class Journal {
 public:
  /// Creates FOLDER/<id>.part for RUN, which has no processes yet.
  static base::Result<Journal> begin(const std::filesystem::path& folder, const record::Run& run,
                                     const std::vector<FileHash>& executables, const std::string& save_as);
  /// Opens one to resume it. bad_input: in use by another torchgate process.
  static base::Result<Journal> go_on(const std::filesystem::path& folder);

  /// Saves PROCESS of RUN, with the facts that its suite reported.
  base::Result<void> add(const record::Run& run, const record::Process& process,
                         const std::vector<record::Parameter>& facts);

 private:
  Journal(std::filesystem::path folder, MachineLock lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  MachineLock lock_;
};

/// Reads one journal. bad_input: it is damaged, or not a journal.
base::Result<Unfinished> read_journal(const std::filesystem::path& folder);

/// The journals in FOLDER, oldest first. Unreadable ones are ignored.
std::vector<UnfinishedEntry> unfinished_runs(const std::filesystem::path& folder);

/// Removes the journal of run ID after the run is saved.
void discard_journal(const std::filesystem::path& folder, const std::string& id);

/// Checks that the rest will measure the same code: every executable and every loaded library except the
/// system's must be unchanged. bad_input names the first changed file.
base::Result<void> check_unchanged(const Unfinished& unfinished);

}  // namespace torchgate::launch
