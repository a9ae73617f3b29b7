// SPDX-License-Identifier: Apache-2.0
#include "harness/import/same_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/base/limits.hpp"

namespace torchgate::import {
namespace {

// NAME#NUMBER; a NAME that leaves no room for it is cut, between two characters.
std::string numbered(const std::string& name, std::int64_t number) {
  constexpr std::size_t room_for_number = 16;
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; };  // UTF-8
  std::size_t end = std::min(name.size(), base::max_name_bytes - room_for_number);
  while (end > 0 && end < name.size() && continues(name[end])) --end;
  return fmt::format("{}#{}", name.substr(0, end), number);
}

}  // namespace

void name_same_names(std::vector<ImportedCase>& cases) {
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, std::int64_t> used;  // numbers of a name
  std::vector<ImportedCase*> later;
  for (ImportedCase& each : cases) {
    if (each.of_one_name > 1) each.parameters.push_back({same_name_parameter, std::to_string(each.of_one_name)});
    if (each.number == 1)
      taken.insert(each.name);
    else
      later.push_back(&each);
  }
  std::stable_sort(later.begin(), later.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  for (ImportedCase* each : later) {
    std::int64_t& number = used.try_emplace(each->name, 1).first->second;
    each->name = next_free_name(each->name, number, taken);
    if (!each->other_name.empty()) each->other_name = numbered(each->other_name, each->number);
  }
}

std::string next_free_name(const std::string& name, std::int64_t& number, std::unordered_set<std::string>& taken) {
  for (;;) {  // "x#2" may be the name of another benchmark
    std::string next = numbered(name, ++number);
    if (taken.insert(next).second) return next;
  }
}

}  // namespace torchgate::import
