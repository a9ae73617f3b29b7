// SPDX-License-Identifier: Apache-2.0
// A file that a process should write, read without trusting what its name refers to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "harness/base/result.hpp"
#include "harness/base/text_source.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::launch {

/// Its folder is opened before the process starts, and the file is read afterwards as an entry of that folder:
/// renaming or replacing the folder has no effect. Suites write under another name and rename, Google Benchmark
/// writes in place, and both are read; a symbolic link, a hard link to another file, a pipe, a socket or a folder is not,
/// and reading never waits.
class ReportFile {
 public:
  /// A folder that cannot be opened holds no file.
  explicit ReportFile(const std::filesystem::path& path);

  /// Its content. not_found: no such file. bad_input: not a regular file, one with other names (hard links), or
  /// one of more than LIMIT_BYTES.
  [[nodiscard]] base::Result<std::string> text(std::int64_t limit_bytes) const;

  /// The same, read piece by piece.
  [[nodiscard]] base::Result<base::TextSource> source(std::int64_t limit_bytes) const;

  /// Whether anything with its name exists.
  [[nodiscard]] bool exists() const;

  void remove() const;

 private:
  [[nodiscard]] base::Result<process::Descriptor> open_regular(std::int64_t limit_bytes) const;

  process::Descriptor folder_;
  std::string name_;
};

}  // namespace torchgate::launch
