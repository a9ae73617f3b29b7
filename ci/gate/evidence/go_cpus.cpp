// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/go_cpus.hpp"

#include <cstddef>
#include <string>

namespace torchgate::gate {
namespace {

constexpr std::string_view go_suite = "go";

// "-8"; empty: none.
std::string_view number_at_the_end(std::string_view name) {
  const std::size_t hyphen = name.rfind('-');
  if (hyphen == 0 || hyphen == std::string_view::npos || hyphen + 1 == name.size()) return {};
  const bool number = name.substr(hyphen + 1).find_first_not_of("0123456789") == std::string_view::npos;
  return number ? name.substr(hyphen) : std::string_view();
}

// Behind "example.org/p.", of which the group is the end.
std::string_view behind_package(const record::Case& definition) {
  const std::string_view name = definition.name;
  const std::string package = definition.group + '.';
  const std::size_t at = definition.group.empty() ? std::string_view::npos : name.find(package);
  const bool found = at != std::string_view::npos && (at == 0 || name[at - 1] == '/');
  return found ? name.substr(at + package.size()) : name;
}

}  // namespace

GoCpus::GoCpus(const std::vector<const record::Case*>& side) {
  for (const record::Case* const each : side) {
    if (each->suite != go_suite) continue;
    Package& package = packages_[each->group];
    const std::string_view suffix = number_at_the_end(each->name);
    if (behind_package(*each).find('/') == std::string_view::npos) package.of_functions.insert(suffix);
    // More than two are as many as two: a sweep has one for each of its cases.
    if (package.of_all.size() < 2) package.of_all.insert(suffix);
  }
}

std::string_view GoCpus::without_cpus(const record::Case& definition) const {
  const auto found = packages_.find(definition.group);
  if (definition.suite != go_suite || found == packages_.end()) return {};
  const Package& package = found->second;
  std::string_view name = definition.name;
  const std::string_view suffix = number_at_the_end(name);
  const bool of_cpus =
      package.of_functions.empty() ? package.of_all.size() == 1 : package.of_functions.contains(suffix);
  if (of_cpus) name.remove_suffix(suffix.size());
  return name;
}

}  // namespace torchgate::gate
