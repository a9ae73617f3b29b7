// SPDX-License-Identifier: Apache-2.0
// A file through which two processes of this program exchange data.
#pragma once

#include <string>

namespace torchgate::bench {

/// A path in a new folder of TMPDIR; both are removed with this object. The file is not an input of this process: it is noted as its own.
class OwnFile {
 public:
  explicit OwnFile(const std::string& name);
  ~OwnFile();
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

  /// Whether the folder could be made.
  [[nodiscard]] bool made() const { return !folder_.empty(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string folder_;
  std::string path_;
};

}  // namespace torchgate::bench
