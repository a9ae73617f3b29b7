// SPDX-License-Identifier: Apache-2.0
// The files that suite processes read and the environment variables that they looked up, with their content, as a run records
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/launch/object_hashes.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// The environment of suite processes, as far as it depends on the request: variables set, variables removed.
struct ProcessEnvironment {
  std::vector<record::Parameter> set;
  std::vector<std::string> unset;
};

/// SHA-256 of the file at PATH, or of the value of the variable "$NAME" in a process with ENVIRONMENT; "": there is none.
/// bad_input: it is not a regular file, or cannot be read.
base::Result<std::string> content_now(const std::string& path, const ProcessEnvironment& environment,
                                      ObjectHashes& hashes);

class ReadFiles {
 public:
  /// RUN has the files of processes to take over. Both must outlive this.
  ReadFiles(record::Run& run, ObjectHashes& hashes);

  /// Sets files, or files_unknown, of PROCESS, which has just ended with ANSWER, as one of so many RANKS. A file that was
  /// changed since the process was started is not known. What the launcher sets for each rank is left out.
  /// RESTORED: SideRequest::restored of its side.
  void take(const SuiteAnswer& answer, std::int64_t ranks, const std::vector<std::string>& unset,
            const std::map<std::string, std::string>& restored, record::Process& process);

  /// A file with its content, as a position in Run::files.
  std::int64_t add(record::ReadFile file);

 private:
  base::Result<std::vector<std::int64_t>> positions_of(const std::vector<std::string>& paths,
                                                       std::chrono::steady_clock::time_point started,
                                                       const ProcessEnvironment& environment,
                                                       const std::map<std::string, std::string>& restored);

  record::Run& run_;
  ObjectHashes& hashes_;
  std::map<std::pair<std::string, std::string>, std::int64_t> positions_;  // path, SHA-256
};

}  // namespace torchgate::launch
