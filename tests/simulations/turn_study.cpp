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

struct Series {
  std::vector<double> medians;
  std::vector<double> floor;
  std::vector<double> typical;
  std::vector<double> floor_slow_calls;
  std::vector<double> typical_slow_calls;

  void add(const PairNumbers& pair) {
    medians.push_back(pair.medians);
    floor.push_back(pair.floor);
    typical.push_back(pair.typical);
    floor_slow_calls.push_back(pair.floor_slow_calls);
    typical_slow_calls.push_back(pair.typical_slow_calls);
  }
};

double shift_of(Change change) {
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

std::vector<double> shifted(std::vector<double> values, Change change) {
  for (double& value : values) value += shift_of(change);
  return values;
}

struct Answer {
  stats::Call call;
  stats::Stop stop;
  std::size_t pairs;
};

Answer judge_in_turns(const Series& series, Change change, const stats::InterleavedOptions& options) {
  const bool slow_calls = change == Change::slow_calls;
  const auto judged = stats::judge_two_series(shifted(slow_calls ? series.floor_slow_calls : series.floor, change),
                                              shifted(slow_calls ? series.typical_slow_calls : series.typical, change),
                                              options);
  return {judged.call, judged.stop, judged.floor.pairs};
}

Answer judge_medians(const Series& series, Change change, const stats::InterleavedOptions& options) {
  const auto judged = stats::judge_interleaved(shifted(series.medians, change), options);
  return {judged.call, judged.stop, judged.pairs};
}

template <class Judge>
Answer judge_case(PairSource& source, Series& series, Judge&& judge) {
  Answer answer{stats::Call::inconclusive, stats::Stop::not_yet, 0};
  for (const std::size_t pairs : enough_pairs) {
    while (series.medians.size() < pairs) series.add(source.draw());
    answer = judge(series);
    if (answer.stop != stats::Stop::not_yet) break;
  }
  return answer;
}

void count(const Answer& answer, TurnTally& tally) {
  ++tally.cases;
  tally.regressed += answer.call == stats::Call::regressed ? 1 : 0;
  tally.improved += answer.call == stats::Call::improved ? 1 : 0;
  tally.equivalent += answer.call == stats::Call::equivalent ? 1 : 0;
  tally.pairs += answer.pairs;
}

double share(std::size_t part, std::size_t whole) {
  return percent(part, whole);
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
  std::vector<TurnRates> rates{{std::string(machine.name), "one after the other, medians", requests, 0, {}},
                               {std::string(machine.name), "in turns, floor and typical change", requests, 0, {}}};
  for (std::uint64_t request = 0; request < requests; ++request) {
    std::array<bool, 2> alarmed{false, false};
    for (std::size_t which = 0; which < design.options.family; ++which) {
      PairSource source(machine, Random({seed, request, which}));
      Series series;
      for (const Change change : changes) {
        const auto place = static_cast<std::size_t>(change);
        if (change != Change::slow_calls) {  // the medians of that change are not drawn
          const Answer medians =
              judge_case(source, series, [&](const Series& so_far) { return judge_medians(so_far, change, design.options); });
          count(medians, rates[0].of_change.at(place));
          alarmed[0] = alarmed[0] || (change == Change::none && medians.call == stats::Call::regressed);
        }
        const Answer turns =
            judge_case(source, series, [&](const Series& so_far) { return judge_in_turns(so_far, change, design.options); });
        count(turns, rates[1].of_change.at(place));
        alarmed[1] = alarmed[1] || (change == Change::none && turns.call == stats::Call::regressed);
      }
    }
    for (std::size_t rule = 0; rule < rates.size(); ++rule) rates[rule].requests_alarmed += alarmed.at(rule) ? 1 : 0;
  }
  return rates;
}

std::vector<BarResult> bars_of(const std::vector<TurnRates>& rates) {
  std::vector<BarResult> bars;
  for (std::size_t i = 0; i + 1 < rates.size(); i += 2) {
    const TurnRates& medians = rates[i];
    const TurnRates& turns = rates[i + 1];
    const std::string of = turns.machine + ", in turns: ";
    bars.push_back({of + "requests with a false `regressed`", share(turns.requests_alarmed, turns.requests), 0, 1});
    for (const Change change : {Change::slower_5, Change::slower_10}) {
      const double before = share(medians.of(change).regressed, medians.of(change).cases);
      bars.push_back({of + std::string(name_of(change)) + " found, against medians (at most 1 point less)",
                      share(turns.of(change).regressed, turns.of(change).cases), before - 1});
    }
    bars.push_back({of + "slow calls found", share(turns.of(Change::slow_calls).regressed, turns.of(Change::slow_calls).cases),
                    90});
    bars.push_back({of + "+10 % called equivalent",
                    share(turns.of(Change::slower_10).equivalent, turns.of(Change::slower_10).cases), 0, 1});
  }
  return bars;
}

}  // namespace torchgate::simulations
