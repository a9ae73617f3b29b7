// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/target.hpp"

namespace torchgate::fuzz {
namespace {

std::size_t accepted_count = 0;

}  // namespace

void accepted() {
  ++accepted_count;
}
std::size_t accepted_inputs() {
  return accepted_count;
}

std::vector<std::string_view> parts_of(std::string_view input, std::size_t most) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < most) {
    const std::size_t end = input.find(part_separator);
    if (end == std::string_view::npos) break;
    parts.push_back(input.substr(0, end));
    input.remove_prefix(end + 1);
  }
  parts.push_back(input);
  return parts;
}

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

bool add_target(const char* name, void (*run)(std::string_view input)) {
  targets().push_back({name, run});
  return true;
}

}  // namespace torchgate::fuzz
