// SPDX-License-Identifier: Apache-2.0
// A run as it goes, so that kill -9 costs the process in work and no more: FOLDER/<id>.part has run.json (the plan, cases and
// machine) and one record per process that ended, each there whole or not at all. Written in pieces: what is kept is never
// written again, however long the run is.
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

/// A file and what was in it.
struct FileHash {
  std::filesystem::path path;
  std::string sha256;
};

/// What a process's suite said of itself.
struct ProcessFacts {
  std::int64_t index = 0;  ///< Process::index
  std::vector<record::Parameter> facts;
};

/// A run that was not finished, as its journal has it.
struct Unfinished {
  std::filesystem::path folder;  ///< of its journal
  record::Run run;               ///< `interrupted`, with raw samples; processes in the order of the schedule
  std::vector<ProcessFacts> facts;
  std::vector<FileHash> executables;           ///< of all suites
  std::string save_as;                         ///< the name it was to be saved under; empty: its id
  std::chrono::system_clock::time_point last;  ///< when the last piece was written
};

/// What is known of an unfinished run without reading it all.
struct UnfinishedEntry {
  std::string id;
  std::filesystem::path folder;
  std::int64_t processes = 0;  ///< that are kept
  std::int64_t sides = 1;
  std::string created;
  std::string save_as;   ///< as in Unfinished
  bool in_work = false;  ///< another torchgate is at it
};

class Journal {
 public:
  /// Begins FOLDER/<id>.part for RUN, which has no processes yet.
  static base::Result<Journal> begin(const std::filesystem::path& folder, const record::Run& run,
                                     const std::vector<FileHash>& executables, const std::string& save_as);
  /// Goes on with one. bad_input: another torchgate is at it.
  static base::Result<Journal> go_on(const std::filesystem::path& folder);

  /// Keeps PROCESS of RUN, with what its suite said of itself.
  base::Result<void> add(const record::Run& run, const record::Process& process,
                         const std::vector<record::Parameter>& facts);

 private:
  Journal(std::filesystem::path folder, MachineLock lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  MachineLock lock_;
};

/// Reads one journal. bad_input: it is damaged, or no journal.
base::Result<Unfinished> read_journal(const std::filesystem::path& folder);

/// The journals in FOLDER, oldest first. One that cannot be read is left out.
std::vector<UnfinishedEntry> unfinished_runs(const std::filesystem::path& folder);

/// Forgets the journal of run ID: it is saved.
void discard_journal(const std::filesystem::path& folder, const std::string& id);

/// What must be as it was, so that the rest measures the same code: every executable, and every library that was loaded and
/// is not the system's. bad_input names the first file that is not.
base::Result<void> check_unchanged(const Unfinished& unfinished);

}  // namespace torchgate::launch
