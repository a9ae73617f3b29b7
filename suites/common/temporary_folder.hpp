// SPDX-License-Identifier: Apache-2.0
// Files that a case writes when it is built and reads when it is measured.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace torchgate::suites {

/// A folder of this process's own, removed with its files in the end. Cases keep it in a shared_ptr. Throws std::system_error if
/// the folder cannot be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// The path of a file that is about to be written.
  std::string add(const std::string& name);
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::vector<std::string> names_;
};

/// Writes the file PATH, whose content SAVE puts into a stream: `write_file(path, [&](auto& stream) { torch::save(weights, stream); })`. LibTorch's own
/// writer of files ends the process where the disk is full. Throws std::runtime_error with cannot_write() if the file cannot be written.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& save);

/// "cannot write PATH: ...", with what to do about it.
std::string cannot_write(const std::string& path);

}  // namespace torchgate::suites
