// SPDX-License-Identifier: Apache-2.0
#include "harness/import/same_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace torchgate::import {

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
    std::string name;
    do {  // "x#2" may be the name of another benchmark
      name = fmt::format("{}#{}", each->name, ++number);
    } while (!taken.insert(name).second);
    each->name = std::move(name);
  }
}

}  // namespace torchgate::import
