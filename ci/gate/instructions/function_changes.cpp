// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/function_changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "ci/gate/instructions/function_name.hpp"
#include "reports/facts/about_causes.hpp"

namespace torchgate::gate {
namespace {

constexpr std::size_t most_named = 3;
/// Of the difference of the whole case: smaller ones explain nothing.
constexpr double smallest_share = 0.05;

struct Function {
  std::string_view object;
  double before = 0;
  double after = 0;
  bool known_before = false;
  bool known_after = false;

  [[nodiscard]] double difference() const { return after - before; }
};

/// What a function that the list lacks has at most.
double most_unlisted(const record::InstructionCount& count) {
  const bool complete = static_cast<std::size_t>(count.functions) <= count.largest.size();
  return complete || count.largest.empty() ? 0 : count.largest.back().instructions;
}

facts::Fact fact_of(std::string_view name, const Function& function) {
  const auto count = [](bool known, double value) {
    return (known || !(value > 0) ? facts::exactly : facts::at_most)(value);
  };
  const std::string readable = readable_function_name(name);
  return facts::function_count(
      function.object.empty() ? facts::function(readable) : facts::function_in(readable, std::string(function.object)),
      function.difference(), count(function.known_before, function.before),
      count(function.known_after, function.after));
}

}  // namespace

facts::Facts function_changes(const record::InstructionCount& before, const record::InstructionCount& after) {
  if (before.largest.empty() || after.largest.empty()) return {};
  // By name: the executable and its libraries may have other file names on the other side.
  std::map<std::string_view, Function> functions;
  for (const record::FunctionCount& each : before.largest) {
    Function& function = functions[each.name];
    function.object = each.object;
    function.before += each.instructions;
    function.known_before = true;
  }
  for (const record::FunctionCount& each : after.largest) {
    Function& function = functions[each.name];
    function.object = each.object;
    function.after += each.instructions;
    function.known_after = true;
  }
  double total = 0;
  std::vector<std::pair<std::string_view, Function>> changed;
  for (auto& [name, function] : functions) {
    if (!function.known_before) function.before = std::min(most_unlisted(before), function.after);
    if (!function.known_after) function.after = std::min(most_unlisted(after), function.before);
    total = std::max(total, std::abs(function.difference()));
    if (function.difference() != 0) changed.emplace_back(name, function);
  }
  std::stable_sort(changed.begin(), changed.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.difference()) > std::abs(b.second.difference());
  });
  facts::Facts told;
  for (const auto& [name, function] : changed) {
    if (told.size() == most_named || std::abs(function.difference()) < smallest_share * total) break;
    told.push_back(fact_of(name, function));
  }
  return told;
}

}  // namespace torchgate::gate
