// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/function_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "ci/gate/instructions/function_name.hpp"

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

std::string sentence_of(std::string_view name, const Function& function) {
  const std::string in = function.object.empty() ? "" : fmt::format(" ({})", function.object);
  const std::string readable = readable_function_name(name);
  const auto at_most = [](bool known, double value) { return !known && value > 0 ? "at most " : ""; };
  return fmt::format("{}{}: {:+.0f} instructions per call ({}{:.0f} before, {}{:.0f} after)", readable, in,
                     function.difference(), at_most(function.known_before, function.before), function.before,
                     at_most(function.known_after, function.after), function.after);
}

}  // namespace

std::vector<std::string> function_changes(const record::InstructionCount& before,
                                          const record::InstructionCount& after) {
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
  std::vector<std::string> sentences;
  for (const auto& [name, function] : changed) {
    if (sentences.size() == most_named || std::abs(function.difference()) < smallest_share * total) break;
    sentences.push_back(sentence_of(name, function));
  }
  return sentences;
}

}  // namespace torchgate::gate
