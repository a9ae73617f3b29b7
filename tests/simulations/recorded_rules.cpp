// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/recorded_rules.hpp"

#include <algorithm>

#include "tests/simulations/recorded_evidence.hpp"

namespace torchgate::simulations {

void CountTable::add(const std::string& rule, const std::string& column, double alarms) {
  if (std::find(rules_.begin(), rules_.end(), rule) == rules_.end()) rules_.push_back(rule);
  Count& count = counts_[{rule, column}];
  count.alarms += alarms;
  ++count.tests;
}

Count CountTable::at(const std::string& rule, const std::string& column) const {
  const auto found = counts_.find({rule, column});
  return found == counts_.end() ? Count{} : found->second;
}

std::vector<BarResult> bars_of(const CountTable& sessions, const CountTable& gate, const CountTable& sequences) {
  const auto share = [](const Count& count) {
    return count.tests == 0 ? 0.0 : 100.0 * count.alarms / static_cast<double>(count.tests);
  };
  std::vector<BarResult> bars;
  if (!sessions.rules().empty()) {
    bars.push_back({"screen, drift kept: A/A", share(sessions.at(screen_rule, "base2")), 0, 8});
    bars.push_back({"screen, drift kept: +5 % found", share(sessions.at(screen_rule, "p5")), 18});
    bars.push_back({"screen, drift kept: +10 % found", share(sessions.at(screen_rule, "p10")), 42});
  }
  for (const std::string& rule : gate.rules()) {
    if (rule.ends_with("regressed")) bars.push_back({rule + ", A/A", share(gate.at(rule, "base2")), 0, 0});
  }
  if (!sequences.rules().empty()) {
    // Set for the nine A/A, nine layout and eight changed sequences that are held out; of the public fifteen, the
    // reference finds twelve at +5 %.
    bars.push_back({"sequential 1 %: A/A, 0 of 9", share(sequences.at(confirmed_rule, "aa")), 0, 0});
    bars.push_back(
        {"sequential 1 %: other layout, at most 1 of 9", share(sequences.at(confirmed_rule, "alt")), 0, 100.0 / 9.0});
    bars.push_back(
        {"sequential 1 %: +5 % found, 7 of 8", share(sequences.at(confirmed_rule, "p5")), 100.0 * 7.0 / 8.0});
    bars.push_back({"sequential 1 %: +10 % found, 8 of 8", share(sequences.at(confirmed_rule, "p10")), 100});
  }
  return bars;
}

}  // namespace torchgate::simulations
