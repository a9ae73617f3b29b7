// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace torchgate::launch {

record::Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error)
    return record::Error{record::ErrorCode::io,
                         "no folder for temporary files: " + error.message() + "; set TMPDIR to one"};
  return create(parent);
}

record::Result<TemporaryFolder> TemporaryFolder::create(const std::filesystem::path& parent) {
  std::string name = (parent / "torchgate-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    return record::Error{record::ErrorCode::io, "cannot make a temporary folder in " + parent.string() + ": " +
                                                    std::generic_category().message(errno) +
                                                    "; set TMPDIR to another one"};
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace torchgate::launch
