// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/suspects.hpp"

#include <algorithm>
#include <cmath>

#include "tests/simulations/table.hpp"
#include "tests/simulations/two_stages.hpp"

namespace torchgate::simulations {
namespace {

struct NamedScreening {
  const char* name;
  Screening screening;
};
const std::array screenings{NamedScreening{"10 runs", {stored_runs, Drift::of_suite, RunSd::assumed}},
                            NamedScreening{"3 runs, SD by 3 runs", {3, Drift::kept, RunSd::calibrated_by_3}},
                            NamedScreening{"1 run, SD 1 %", {1, Drift::kept, RunSd::assumed}}};

constexpr double five_slower = 0.05;
constexpr double ten_slower = 0.10;

struct Asked {
  Procedure procedure;
  SuspectsRow row;
};

std::vector<Asked> all_procedures(std::size_t cases, std::size_t changed) {
  std::vector<Asked> all;
  for (const NamedScreening& one : screenings) {
    for (const bool open_cases : {false, true}) {
      for (const bool false_discovery_rate : {false, true}) {
        Procedure procedure = with_open_cases(one.screening);
        if (!open_cases) procedure.budget = 0.0;
        procedure.false_discovery_rate = false_discovery_rate;
        all.push_back({procedure, {one.name, false_discovery_rate, open_cases, cases, changed, {}, {}, {}}});
      }
    }
  }
  return all;
}

void ask(PullRequest& request, std::vector<Asked>& all, double effect, Tally SuspectsRow::*tally) {
  Question question(request, std::log1p(effect));
  for (Asked& one : all) count(two_stages(question, one.procedure), request, effect, one.row.*tally);
}

}  // namespace

std::vector<SuspectsRow> suspects_of(const Profile& profile, std::size_t cases, std::size_t changed,
                                     std::size_t requests, std::uint64_t seed) {
  Setting setting{profile};
  setting.cases = cases;
  setting.changed = changed;
  std::vector<Asked> all = all_procedures(cases, changed);
  for (std::size_t done = 0; done < requests; ++seed) {
    Machine machine(setting, seed);
    for (std::size_t run = 0; run < stored_runs; ++run) machine.measure();
    for (std::size_t number = 0; number < requests_per_seed && done < requests; ++number, ++done) {
      machine.measure();
      PullRequest request(machine, number);
      ask(request, all, 0.0, &SuspectsRow::unchanged);
      ask(request, all, five_slower, &SuspectsRow::five);
      ask(request, all, ten_slower, &SuspectsRow::ten);
    }
  }
  std::vector<SuspectsRow> rows;
  rows.reserve(all.size());
  for (const Asked& one : all) rows.push_back(one.row);
  return rows;
}

namespace {

class Selections {
 public:
  Selections(const std::vector<SuspectsRow>& rows, const SuspectsRow& like) : rows_(rows), like_(like) {}

  // "14.3 / 2.21": selected one by one / by the false discovery rate.
  template <typename Value>
  [[nodiscard]] std::string both(std::size_t changed, bool open_cases, Value value) const {
    return digits(value(find(changed, open_cases, false))) + " / " + digits(value(find(changed, open_cases, true)));
  }

 private:
  [[nodiscard]] const SuspectsRow& find(std::size_t changed, bool open_cases, bool false_discovery_rate) const {
    return *std::find_if(rows_.begin(), rows_.end(), [&](const SuspectsRow& row) {
      return row.screening == like_.screening && row.cases == like_.cases && row.changed == changed &&
             row.open_cases == open_cases && row.false_discovery_rate == false_discovery_rate;
    });
  }

  const std::vector<SuspectsRow>& rows_;
  const SuspectsRow& like_;
};

double found(const Tally& tally) {
  return percent(tally.found, tally.changed);
}

// A run has five processes of each case, a pair two.
double share_of_run(const SuspectsRow& row, std::size_t pairs) {
  return 100.0 * static_cast<double>(pairs) /
         (budget_of_a_run * static_cast<double>(row.cases * row.unchanged.requests));
}

Row printed(const std::vector<SuspectsRow>& rows, const SuspectsRow& like) {
  const Selections of(rows, like);
  const auto [one, five] = numbers_changed;
  const auto five_found = [](const SuspectsRow& row) { return found(row.five); };
  const auto ten_found = [](const SuspectsRow& row) { return found(row.ten); };
  return {
      like.screening,
      std::to_string(like.cases),
      of.both(one, true,
              [](const SuspectsRow& row) {
                return static_cast<double>(row.unchanged.suspects) / static_cast<double>(row.unchanged.requests);
              }),
      of.both(one, true, [](const SuspectsRow& row) { return share_of_run(row, row.unchanged.pairs); }),
      of.both(one, true,
              [](const SuspectsRow& row) { return share_of_run(row, row.unchanged.pairs + row.unchanged.open_pairs); }),
      of.both(one, true, five_found),
      of.both(five, true, five_found),
      of.both(one, true, ten_found),
      of.both(five, true, ten_found),
      of.both(one, false, five_found),
      of.both(five, false, five_found),
      of.both(five, true, [](const SuspectsRow& row) { return percent(row.five.changed_same, row.five.changed); }),
      of.both(five, true, [](const SuspectsRow& row) { return static_cast<double>(row.unchanged.requests_alarmed); })};
}

}  // namespace

void print_suspects(std::ostream& out, const std::vector<SuspectsRow>& rows) {
  std::vector<Row> table;
  for (const NamedScreening& screening : screenings) {
    for (const SuspectsRow& row : rows) {
      const bool first = row.changed == numbers_changed.front() && !row.open_cases && !row.false_discovery_rate;
      if (first && row.screening == screening.name) table.push_back(printed(rows, row));
    }
  }
  print_table(
      out,
      {"stored", "cases", "suspects and probes a request", "their pairs, % of the run's time",
       "all pairs, % of the run's time", "+5 % in one case found, %", "in five", "+10 % in one", "in five",
       "without open cases: +5 % in one", "in five", "+5 % called equivalent, %", "requests with a false alarm"},
      table);
}

}  // namespace torchgate::simulations
