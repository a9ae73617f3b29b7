// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/bars.hpp"

#include <array>

#include "tests/simulations/share.hpp"
#include "tests/simulations/table.hpp"

namespace torchgate::simulations {
namespace {

struct Detection {
  std::string_view profile;
  double two;
  double five;
  double ten;
};
// Round robin, ten stored runs, five processes of forty iterations.
constexpr std::array detection{Detection{"quiet", 86, 97, 99.5}, Detection{"ci", 38, 92, 99.5},
                               Detection{"noisy", 2, 39, 88}};

// The textbook rule's false alarms in the reference simulator: this simulation must have as many, or its noise is not the
// same. There is no published number for quiet, back to back.
struct Textbook {
  std::string_view profile;
  Schedule schedule;
  double false_alarms;
};
constexpr std::array published_textbook{
    Textbook{"quiet", Schedule::round_robin, 14.3}, Textbook{"ci", Schedule::round_robin, 15.5},
    Textbook{"ci", Schedule::sequential, 15.6},     Textbook{"noisy", Schedule::round_robin, 18.8},
    Textbook{"noisy", Schedule::sequential, 19.8},
};
constexpr double textbook_tolerance = 1.0;  // points

constexpr double most_false_alarms = 0.01;
constexpr double most_alarmed_requests = 1.0;
constexpr double most_wrongly_same = 8.0;
constexpr double fewest_decided = 90.0;  // of a quiet machine's cases, within the time of a run

}  // namespace

std::vector<BarResult> bars_of(const Evaluation& evaluation) {
  std::vector<BarResult> bars;
  const std::string_view profile = evaluation.setting.profile.name;
  const RuleTallies& two_stages = tallies_of(evaluation, suite_rule);
  for (const std::string_view rule : {suite_rule, both_ways_rule, open_rule, open_rule_few, open_rule_one}) {
    const Tally& same = tallies_of(evaluation, rule)[no_effect];
    bars.push_back({std::string(rule) + ": false alarms per unchanged case", percent(same.alarms, same.unchanged), 0,
                    most_false_alarms});
    bars.push_back({std::string(rule) + ": requests with any, 95 % upper bound",
                    100.0 * *share_upper_bound(same.requests_alarmed, same.requests), 0, most_alarmed_requests});
  }
  for (const Detection& wanted : detection) {
    if (wanted.profile != profile || evaluation.setting.schedule != Schedule::round_robin) continue;
    const auto found = [&](std::size_t size) { return percent(two_stages[size].found, two_stages[size].changed); };
    bars.push_back({"two stages: +2 % found", found(two_percent), wanted.two});
    bars.push_back({"two stages: +5 % found", found(five_percent), wanted.five});
    bars.push_back({"two stages: +10 % found", found(ten_percent), wanted.ten});
  }
  for (const std::string_view rule : {suite_rule, open_rule, open_rule_few, open_rule_one}) {
    const Tally& five = tallies_of(evaluation, rule)[five_percent];
    bars.push_back({std::string(rule) + ": a true +5 % called equivalent", percent(five.changed_same, five.changed), 0,
                    most_wrongly_same});
    const Tally& same = tallies_of(evaluation, rule)[no_effect];
    if (profile != "quiet" || rule == suite_rule) continue;
    bars.push_back(
        {std::string(rule) + ": cases decided", percent(same.decided, same.unchanged + same.changed), fewest_decided});
  }
  for (const Textbook& wanted : published_textbook) {
    if (wanted.profile != profile || wanted.schedule != evaluation.setting.schedule) continue;
    const Tally& same = tallies_of(evaluation, textbook_rule)[no_effect];
    bars.push_back({"textbook rule: false alarms, as bad as published", percent(same.alarms, same.unchanged),
                    wanted.false_alarms - textbook_tolerance, wanted.false_alarms + textbook_tolerance});
  }
  return bars;
}

}  // namespace torchgate::simulations
