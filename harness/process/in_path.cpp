// SPDX-License-Identifier: Apache-2.0
#include "harness/process/in_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace torchgate::process {

std::optional<std::filesystem::path> in_path(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::filesystem::path file = std::filesystem::path(folder) / program;
    if (file.is_absolute() && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

}  // namespace torchgate::process
