// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/file_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "tests/fuzz/target.hpp"

namespace torchgate::fuzz {
namespace {

namespace fs = std::filesystem;

// More files say nothing that these do not, and take as long to write.
constexpr std::size_t most_files = 24;
constexpr std::size_t longest_name = 200;

bool stays_inside(std::string_view name) {
  if (name.empty() || name.size() > longest_name || name.find('\0') != std::string_view::npos) return false;
  const fs::path path(name);
  return path.is_relative() && std::none_of(path.begin(), path.end(), [](const fs::path& step) {
           return step == ".." || step == "." || step.empty();
         });
}

}  // namespace

void ScratchFolder::fill(std::string_view input) const {
  for (const auto& entry : fs::directory_iterator(path())) fs::remove_all(entry.path());
  for (const std::string_view part : parts_of(input, most_files)) {
    const std::size_t end = part.find('\n');
    if (end != std::string_view::npos && stays_inside(part.substr(0, end)))
      (void)write(part.substr(0, end), part.substr(end + 1));
  }
}

fs::path ScratchFolder::write(std::string_view name, std::string_view bytes) const {
  fs::path file = path() / name;
  std::error_code ignored;  // a file where a folder has to be: the name is left out
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

}  // namespace torchgate::fuzz
