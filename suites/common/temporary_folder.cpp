// SPDX-License-Identifier: Apache-2.0
#include "suites/common/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <system_error>

namespace torchgate::suites {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "torchgate_suite_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "cannot make " + name);
  path_ = name;
}

// File by file: a process that lists a folder is measured by --skip-unchanged in every run.
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  for (const std::string& name : names_) std::filesystem::remove(path_ / name, ignored);
  std::filesystem::remove(path_, ignored);
}

std::string TemporaryFolder::add(const std::string& name) {
  names_.push_back(name);
  return file(name);
}

}  // namespace torchgate::suites
