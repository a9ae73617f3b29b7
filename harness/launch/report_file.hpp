// SPDX-License-Identifier: Apache-2.0
// A file that a process is asked to write, read without trusting what lies under its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "harness/base/result.hpp"
#include "harness/base/text_source.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::launch {

/// Its folder is opened before the process starts, and what is read afterwards is the entry of that folder: renaming the
/// folder or putting another one in its place changes nothing. Suites write under another name and rename, Google Benchmark
/// writes in place, and both are read; a symbolic link, a hard link to a file elsewhere, a pipe, a socket or a folder is not,
/// and nothing is waited for.
class ReportFile {
 public:
  /// A folder that cannot be opened holds no file.
  explicit ReportFile(const std::filesystem::path& path);

  /// What was written. not_found: nothing of that name. bad_input: no regular file, one with other names (hard links), or
  /// one of more than LIMIT_BYTES.
  [[nodiscard]] base::Result<std::string> text(std::int64_t limit_bytes) const;

  /// The same piece by piece, for a reader that does not want it whole.
  [[nodiscard]] base::Result<base::TextSource> source(std::int64_t limit_bytes) const;

  /// Something has its name, whatever it is.
  [[nodiscard]] bool exists() const;

  void remove() const;

 private:
  [[nodiscard]] base::Result<process::Descriptor> open_regular(std::int64_t limit_bytes) const;

  process::Descriptor folder_;
  std::string name_;
};

}  // namespace torchgate::launch
