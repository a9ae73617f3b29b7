// SPDX-License-Identifier: Apache-2.0
// The files that suite processes read, with their content, as a run records them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "harness/launch/object_hashes.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// SHA-256 of the file at PATH; "": there is none. bad_input: it is no regular file, or cannot be read.
base::Result<std::string> content_now(const std::string& path, ObjectHashes& hashes);

class ReadFiles {
 public:
  /// RUN has the files of processes to take over. Both must outlive this.
  ReadFiles(record::Run& run, ObjectHashes& hashes);

  /// Sets files, or files_unknown, of PROCESS, which has just ended with ANSWER. A file that was changed since the process
  /// was started is not known.
  void take(const SuiteAnswer& answer, record::Process& process);

  /// PATH with its content as it is now, as a position in Run::files. bad_input: its content cannot be known.
  base::Result<std::int64_t> add(const std::string& path);

 private:
  record::Run& run_;
  ObjectHashes& hashes_;
  std::map<std::pair<std::string, std::string>, std::int64_t> positions_;  // path, SHA-256
};

}  // namespace torchgate::launch
