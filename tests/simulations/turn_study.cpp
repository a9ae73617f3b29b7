// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/turn_study.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "stats/two_series.hpp"
#include "tests/simulations/table.hpp"

namespace torchgate::simulations {
namespace {

// Where looks are: pairs are drawn as far as the judgement needs them.
constexpr std::array<std::size_t, 4> enough_pairs{10, 20, 28, 48};
// Rare alarms need many requests, the share of changes that is found needs few.
constexpr std::uint64_t requests_per_changed_one = 16;

struct DrawnPairs {
  std::vector<double> medians;
  std::vector<double> floor;
  std::vector<double> typical;
  std::vector<double> floor_slow_calls;
  std::vector<double> typical_slow_calls;

  void add(const TurnNumbers& pair) {
    floor.push_back(pair.floor);
    typical.push_back(pair.typical);
    floor_slow_calls.push_back(pair.floor_slow_calls);
    typical_slow_calls.push_back(pair.typical_slow_calls);
  }
};

double log_change(Change change) {
  switch (change) {
    case Change::slower_2:
      return std::log(1.02);
    case Change::slower_5:
      return std::log(1.05);
    case Change::slower_10:
      return std::log(1.10);
    case Change::faster_5:
      return -std::log(1.05);
    case Change::none:
    case Change::slow_calls:
      break;
  }
  return 0.0;
}

std::vector<double> with_change(std::vector<double> values, Change change) {
  for (double& value : values) value += log_change(change);
  return values;
}

struct PairAnswer {
  stats::Call call;
  stats::Stop stop;
  std::size_t pairs;
};

PairAnswer judge_in_turns(const DrawnPairs& series, Change change, const stats::InterleavedOptions& options) {
  const bool slow_calls = change == Change::slow_calls;
  const auto judged =
      stats::judge_two_series(with_change(slow_calls ? series.floor_slow_calls : series.floor, change),
                              with_change(slow_calls ? series.typical_slow_calls : series.typical, change), options);
  return {judged.call, judged.stop, judged.floor.pairs};
}

PairAnswer judge_medians(const DrawnPairs& series, Change change, const stats::InterleavedOptions& options) {
  const auto judged = stats::judge_interleaved(with_change(series.medians, change), options);
  return {judged.call, judged.stop, judged.pairs};
}

PairAnswer judge_case_in_turns(PairSource& source, DrawnPairs& drawn, Change change,
                               const stats::InterleavedOptions& options) {
  PairAnswer answer{stats::Call::inconclusive, stats::Stop::not_yet, 0};
  for (const std::size_t pairs : enough_pairs) {
    while (drawn.floor.size() < pairs) drawn.add(source.draw_in_turns());
    answer = judge_in_turns(drawn, change, options);
    if (answer.stop != stats::Stop::not_yet) break;
  }
  return answer;
}

PairAnswer judge_case_by_medians(PairSource& source, DrawnPairs& drawn, Change change,
                                 const stats::InterleavedOptions& options) {
  PairAnswer answer{stats::Call::inconclusive, stats::Stop::not_yet, 0};
  for (const std::size_t pairs : enough_pairs) {
    while (drawn.medians.size() < pairs) drawn.medians.push_back(source.draw_medians());
    answer = judge_medians(drawn, change, options);
    if (answer.stop != stats::Stop::not_yet) break;
  }
  return answer;
}

void count_answer(const PairAnswer& answer, TurnTally& tally) {
  ++tally.cases;
  tally.regressed += answer.call == stats::Call::regressed ? 1U : 0U;
  tally.improved += answer.call == stats::Call::improved ? 1U : 0U;
  tally.equivalent += answer.call == stats::Call::equivalent ? 1U : 0U;
  tally.pairs += answer.pairs;
}

}  // namespace

std::string_view name_of(Change change) {
  switch (change) {
    case Change::none:
      return "unchanged";
    case Change::slower_2:
      return "+2 %";
    case Change::slower_5:
      return "+5 %";
    case Change::slower_10:
      return "+10 %";
    case Change::slow_calls:
      return "every third call +30 %";
    case Change::faster_5:
      return "-5 %";
  }
  return "";
}

std::array<PairDesign, 2> pair_designs() {
  stats::InterleavedOptions all;
  all.family = 200;
  stats::InterleavedOptions open;
  open.family = 20;
  open.alpha_share = 0.5;
  open.no_harm_level = open.equivalence_stop_level = 0.98;
  return {PairDesign{"200 cases of ab", all}, PairDesign{"20 open cases", open}};
}

std::vector<TurnRates> study_turns(const TurnMachine& machine, const PairDesign& design, std::uint64_t requests,
                                   std::uint64_t seed) {
  const std::uint64_t with_changes = std::max<std::uint64_t>(1, requests / requests_per_changed_one);
  TurnRates medians{std::string(machine.name), "one after the other, medians", with_changes, 0, {}};
  TurnRates turns{std::string(machine.name), "in turns, floor and typical change", requests, 0, {}};
  for (std::uint64_t request = 0; request < requests; ++request) {
    bool alarmed_by_medians = false;
    bool alarmed = false;
    for (std::size_t which = 0; which < design.options.family; ++which) {
      PairSource of_turns(machine, Random({seed, request, which}));
      PairSource of_medians = of_turns;
      DrawnPairs drawn;
      for (const Change change : changes) {
        if (request >= with_changes && change != Change::none) continue;
        const auto place = static_cast<std::size_t>(change);
        const PairAnswer answer = judge_case_in_turns(of_turns, drawn, change, design.options);
        count_answer(answer, turns.of_change.at(place));
        alarmed = alarmed || (change == Change::none && answer.call == stats::Call::regressed);
        if (request >= with_changes || change == Change::slow_calls) continue;  // no medians of that are drawn
        const PairAnswer by_medians = judge_case_by_medians(of_medians, drawn, change, design.options);
        count_answer(by_medians, medians.of_change.at(place));
        alarmed_by_medians =
            alarmed_by_medians || (change == Change::none && by_medians.call == stats::Call::regressed);
      }
    }
    turns.requests_alarmed += alarmed ? 1U : 0U;
    medians.requests_alarmed += alarmed_by_medians ? 1U : 0U;
  }
  return {medians, turns};
}

std::vector<BarResult> bars_of(const std::vector<TurnRates>& rates) {
  std::vector<BarResult> bars;
  for (std::size_t i = 0; i + 1 < rates.size(); i += 2) {
    const TurnRates& medians = rates[i];
    const TurnRates& turns = rates[i + 1];
    const std::string of = turns.machine + ", in turns: ";
    bars.push_back({of + "requests with a false `regressed`", percent(turns.requests_alarmed, turns.requests), 0, 1});
    for (const Change change : {Change::slower_5, Change::slower_10}) {
      const double before = percent(medians.of(change).regressed, medians.of(change).cases);
      bars.push_back({of + std::string(name_of(change)) + " found, against medians (at most 1 point less)",
                      percent(turns.of(change).regressed, turns.of(change).cases), before - 1});
    }
    bars.push_back({of + "slow calls found",
                    percent(turns.of(Change::slow_calls).regressed, turns.of(Change::slow_calls).cases), 90});
    bars.push_back({of + "+10 % called equivalent",
                    percent(turns.of(Change::slower_10).equivalent, turns.of(Change::slower_10).cases), 0, 1});
  }
  return bars;
}

}  // namespace torchgate::simulations
