// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/go_cpus.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>

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

// The largest machines of one kernel have 2048 CPUs; sizes such as 4096 are arguments of many benchmarks.
constexpr int most_cpus = 2048;

// Of "-8". A number that is none of CPUs, 0 or out of range, is 1.
int number_of_cpus(std::string_view suffix) {
  int count = 0;
  const char* const end = suffix.data() + suffix.size();
  const auto [last, error] = std::from_chars(suffix.data() + (suffix.empty() ? 0 : 1), end, count);
  return error == std::errc() && last == end && count > 1 ? count : 1;
}

// Behind "example.org/p.", of which the group is the end.
std::string_view behind_package(const record::Case& definition) {
  const std::string_view name = definition.name;
  const std::string package = definition.group + '.';
  const std::size_t at = definition.group.empty() ? std::string_view::npos : name.find(package);
  const bool found = at != std::string_view::npos && (at == 0 || name[at - 1] == '/');
  return found ? name.substr(at + package.size()) : name;
}

// "BM_x/n:8/threads:4": Google Benchmark itself writes its threads last. A parameter "threads" elsewhere is an argument.
int threads_of_google_benchmark(const record::Case& definition) {
  constexpr std::string_view last_part = "/threads:";
  if (!definition.protocol.starts_with("google-benchmark")) return 1;
  const std::string_view name = definition.name;
  const std::size_t at = name.rfind('/');
  if (at == std::string_view::npos || !name.substr(at).starts_with(last_part)) return 1;
  const std::string_view digits = name.substr(at + last_part.size());
  int count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = end == digits.data() + digits.size() || *end == '#';  // "threads:4#2": the second of one name
  return error == std::errc() && whole && count > 1 ? count : 1;
}

}  // namespace

GoCpus::GoCpus(const std::vector<const record::Case*>& side) {
  for (const record::Case* const each : side) {
    if (each->suite != go_suite) continue;
    const auto [at, is_new] = packages_.try_emplace(each->group);
    Package& package = at->second;
    package.several = !is_new;
    const std::string_view suffix = number_at_the_end(each->name);
    if (behind_package(*each).find('/') == std::string_view::npos) package.of_functions.insert(suffix);
    // More than two are as many as two: a sweep has one for each of its cases.
    if (package.of_all.size() < 2) package.of_all.insert(suffix);
  }
}

// nullptr: of another tool.
const GoCpus::Package* GoCpus::package_of(const record::Case& definition) const {
  const auto found = packages_.find(definition.group);
  return definition.suite != go_suite || found == packages_.end() ? nullptr : &found->second;
}

std::string_view GoCpus::without_cpus(const record::Case& definition) const {
  const Package* const package = package_of(definition);
  if (package == nullptr) return {};
  std::string_view name = definition.name;
  const std::string_view suffix = number_at_the_end(name);
  const bool of_cpus =
      package->of_functions.empty() ? package->of_all.size() == 1 : package->of_functions.contains(suffix);
  if (of_cpus) name.remove_suffix(suffix.size());
  return name;
}

bool GoCpus::knows(const record::Case& definition) const {
  const Package* const package = package_of(definition);
  if (package == nullptr) return false;
  const std::string_view suffix = number_at_the_end(definition.name);
  if (suffix.empty() || !package->of_functions.empty()) return true;
  return package->several && number_of_cpus(suffix) <= most_cpus;
}

int GoCpus::cpus(const record::Case& definition) const {
  const std::string_view base = without_cpus(definition);
  if (base.empty() || !knows(definition)) return 1;
  return number_of_cpus(std::string_view(definition.name).substr(base.size()));
}

int calls_at_once(const record::Case& definition, const GoCpus& go) {
  return std::max(threads_of_google_benchmark(definition), go.cpus(definition));
}

}  // namespace torchgate::gate
