// SPDX-License-Identifier: Apache-2.0
#include "suites/common/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
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

void write_file(const std::string& path, const std::function<void(std::ostream&)>& save) {
  std::ostringstream content;
  save(content);
  std::ofstream file(path, std::ios::binary);
  file << std::move(content).str();
  file.close();
  if (!content || !file) throw std::runtime_error(cannot_write(path));
}

std::string cannot_write(const std::string& path) {
  return "cannot write " + path +
         ": the disk is full, or the folder is read-only; free space there, or name another folder in TMPDIR";
}

}  // namespace torchgate::suites
