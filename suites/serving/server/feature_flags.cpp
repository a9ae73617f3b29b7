// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/feature_flags.hpp"

#include <algorithm>

namespace torchgate::serving {
namespace {

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " or ") + value;
  return text;
}

}  // namespace

FlagState flag_state(const std::string& flag, const std::vector<FlagRule>& rules, const Facts& facts) {
  FlagState state{false, "no rule names the flag " + flag};
  for (const FlagRule& rule : rules) {
    if (rule.flag != flag) continue;
    const auto fact = facts.find(rule.fact);
    if (fact == facts.end()) return {false, rule.fact + " is unknown"};
    if (std::find(rule.values.begin(), rule.values.end(), fact->second) == rule.values.end())
      return {false, rule.fact + " is " + fact->second + ", not " + joined(rule.values)};
    state = {true, rule.fact + " is " + fact->second};
  }
  return state;
}

}  // namespace torchgate::serving
