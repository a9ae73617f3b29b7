// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/own_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "harness/bench/files/interposed.hpp"

namespace torchgate::bench {

OwnFile::OwnFile(const std::string& name) {
  std::error_code error;
  folder_ = (std::filesystem::temp_directory_path(error) / "torchgate-case-XXXXXX").string();
  if (error || mkdtemp(folder_.data()) == nullptr) folder_.clear();
  if (!made()) return;
  path_ = folder_ + "/" + name;
  read_log().note(path_, static_cast<std::uint32_t>(Opened::made));
}

OwnFile::~OwnFile() {
  if (!made()) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  // remove_all() lists the folder, after which it is not known what this process reads: only when something else is left.
  if (!std::filesystem::remove(folder_, ignored)) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace torchgate::bench
