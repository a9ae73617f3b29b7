// SPDX-License-Identifier: Apache-2.0
// How often the rules are wrong, and what they find: by simulation and on recordings. See README.md.
#include <algorithm>
#include <charconv>
#include <ctime>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "stats/interleaved.hpp"
#include "tests/simulations/bars.hpp"
#include "tests/simulations/claims.hpp"
#include "tests/simulations/coin.hpp"
#include "tests/simulations/cost.hpp"
#include "tests/simulations/evaluation.hpp"
#include "tests/simulations/recorded_rules.hpp"
#include "tests/simulations/recordings.hpp"
#include "tests/simulations/share.hpp"
#include "tests/simulations/suspects.hpp"
#include "tests/simulations/table.hpp"
#include "tests/simulations/turn_study.hpp"

namespace torchgate::simulations {
namespace {

constexpr const char* usage = R"(usage:
  simulations rates [PROFILE|all] [round-robin|sequential|both] [REQUESTS] [SEED] [fixed|mser]
      false alarms and detection of every rule on simulated pull requests; profiles: quiet, ci, noisy
  simulations open [PROFILE|all] [round-robin|sequential|both] [REQUESTS] [SEED]
      the step for cases that the screen left open, with other shares of alpha and other starts of its equivalence stop
  simulations suspects [PROFILE|all] [REQUESTS] [SEED]
      suspects and their pairs in suites of 94, 200 and 332 cases, selected one by one or by the false discovery rate
  simulations claims [RUNS] [SEED]
      claims of a run: false `broken` and what is decided, by the program and by other procedures
  simulations recorded-claims FILE
      the same on recorded log ratios (tests/fixtures/stats/claim_ratios.csv)
  simulations coin [DRAWS] [SEED]
      level of the signed-rank test on noise that remembers, one coin for each pair
  simulations cost [REQUESTS] [SEED] [LEVEL]
      pairs until the answer is clear against all 48 of the plan: 90 % unchanged, 5 % slower by 5 %, 5 % by 20 %;
      LEVEL: percent, of the interval that excludes harm (95, as in `ab`)
  simulations turns [PROFILE|all] [REQUESTS] [SEED]
      pairs in turns, judged by floor and typical change, beside pairs one after the other; PROFILE: also two-state
  simulations recordings FOLDER [FOLDER ...]
      the rules on recorded sessions and sequences; each folder is judged with all earlier sessions as its history
The exit code is 1 when a bar does not hold, 2 on bad usage or input.
)";

// Of this process, not of the clock on the wall: other programs may share the machine.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::uint64_t whole_number(const std::string& word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value == 0) {
    throw std::invalid_argument("'" + word + "' is not a whole number above 0");
  }
  return value;
}

std::string one_of(const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  std::string all;
  for (const std::string& one : known) all += " " + one;
  throw std::invalid_argument("'" + word + "' is none of:" + all);
}

std::size_t rates(const std::vector<std::string>& words) {
  const auto word = [&](std::size_t i, const char* otherwise) { return i < words.size() ? words[i] : otherwise; };
  const std::string profile = one_of(word(0, "all"), {"all", "quiet", "ci", "noisy"});
  const std::string schedule = one_of(word(1, "both"), {"both", "round-robin", "sequential"});
  const std::uint64_t requests = whole_number(word(2, "1920"));
  const std::uint64_t seed = whole_number(word(3, "1"));
  const WarmUp warm_up = one_of(word(4, "fixed"), {"fixed", "mser"}) == "mser" ? WarmUp::mser : WarmUp::fixed;
  std::size_t missed = 0;
  Tally suspects_only;
  Tally open_too;
  const auto add = [](const Tally& one, Tally& all) {
    all.requests += one.requests;
    all.requests_alarmed += one.requests_alarmed;
  };
  for (const Profile& one : profiles) {
    if (profile != "all" && profile != one.name) continue;
    for (const Schedule order : {Schedule::round_robin, Schedule::sequential}) {
      if (schedule == "round-robin" && order != Schedule::round_robin) continue;
      if (schedule == "sequential" && order != Schedule::sequential) continue;
      const double start = processor_seconds();
      const Evaluation evaluation = evaluate({one, order, warm_up}, requests, seed);
      print_rates(std::cout, evaluation);
      missed += print_bars(std::cout, bars_of(evaluation));
      std::cout << digits(processor_seconds() - start) << " s of processor time\n\n" << std::flush;
      add(tallies_of(evaluation, suite_rule)[no_effect], suspects_only);
      add(tallies_of(evaluation, open_rule)[no_effect], open_too);
    }
  }
  for (const Tally* all : {&suspects_only, &open_too}) {
    std::cout << (all == &open_too ? "then the open cases: " : "all machines together: ") << all->requests_alarmed
              << " of " << all->requests << " pull requests with any false `regressed`, 95 % upper bound "
              << digits(100.0 * *share_upper_bound(all->requests_alarmed, all->requests)) << " %\n";
  }
  return missed;
}

std::size_t open_cases(const std::vector<std::string>& words) {
  const auto word = [&](std::size_t i, const char* otherwise) { return i < words.size() ? words[i] : otherwise; };
  const std::string profile = one_of(word(0, "all"), {"all", "quiet", "ci", "noisy"});
  const std::string schedule = one_of(word(1, "both"), {"both", "round-robin", "sequential"});
  const std::uint64_t requests = whole_number(word(2, "240"));
  const std::uint64_t seed = whole_number(word(3, "1"));
  for (const Profile& one : profiles) {
    if (profile != "all" && profile != one.name) continue;
    for (const Schedule order : {Schedule::round_robin, Schedule::sequential}) {
      if (schedule == "round-robin" && order != Schedule::round_robin) continue;
      if (schedule == "sequential" && order != Schedule::sequential) continue;
      const double start = processor_seconds();
      print_rates(std::cout, evaluate({one, order}, requests, seed, open_case_rules()));
      std::cout << digits(processor_seconds() - start) << " s of processor time\n\n" << std::flush;
    }
  }
  return 0;
}

std::size_t suspects(const std::vector<std::string>& words) {
  const std::string profile = words.empty() ? "all" : one_of(words[0], {"all", "quiet", "ci", "noisy"});
  const std::uint64_t requests = words.size() < 2 ? 240 : whole_number(words[1]);
  const std::uint64_t seed = words.size() < 3 ? 1 : whole_number(words[2]);
  for (const Profile& one : profiles) {
    if (profile != "all" && profile != one.name) continue;
    const double start = processor_seconds();
    std::vector<SuspectsRow> rows;
    for (const std::size_t changed : numbers_changed) {
      for (const std::size_t cases : suite_sizes) {
        for (SuspectsRow& row : suspects_of(one, cases, changed, requests, seed)) rows.push_back(std::move(row));
      }
    }
    std::cout << one.name << ", processes round robin; " << requests
              << " pull requests of each kind. Each cell: suspects one by one / by the false discovery rate\n\n";
    print_suspects(std::cout, rows);
    std::cout << digits(processor_seconds() - start) << " s of processor time\n\n" << std::flush;
  }
  return 0;
}

std::size_t claims(const std::vector<std::string>& words) {
  const std::uint64_t runs = words.empty() ? 6000 : whole_number(words[0]);
  const std::uint64_t seed = words.size() < 2 ? 1 : whole_number(words[1]);
  const double start = processor_seconds();
  const std::vector<ClaimStudy> studies = study_claims(runs, seed);
  std::cout << runs << " runs of each kind, five processes\n\n";
  print_claims(std::cout, studies);
  const std::size_t missed = print_bars(std::cout, bars_of(studies));
  std::cout << digits(processor_seconds() - start) << " s of processor time\n";
  return missed;
}

std::size_t recorded_claims(const std::vector<std::string>& words) {
  if (words.size() != 1) throw std::invalid_argument("recorded-claims takes one file");
  print_recorded_claims(std::cout, words[0]);
  return 0;
}

std::size_t coin(const std::vector<std::string>& words) {
  const std::size_t draws = words.empty() ? 60000 : whole_number(words[0]);
  const std::uint64_t seed = words.size() < 2 ? 1 : whole_number(words[1]);
  std::vector<BarResult> bars;
  for (const Noise noise : noises) {
    const Level level = signed_rank_level(noise, draws, seed);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      bars.push_back({std::string(name_of(noise)) + ": p below " + digits(100.0 * levels[i]) + " %",
                      percent(level.below[i], level.draws), 0, level_bars[i]});
    }
  }
  std::cout << "signed rank, " << coin_pairs << " pairs of unchanged code, a coin for each pair; " << draws
            << " sequences of each noise.\n\n";
  return print_bars(std::cout, bars);
}

std::size_t cost(const std::vector<std::string>& words) {
  const std::uint64_t requests = words.empty() ? 60 : whole_number(words[0]);
  const std::uint64_t seed = words.size() < 2 ? 1 : whole_number(words[1]);
  const double level = words.size() < 3 ? stats::InterleavedOptions{}.no_harm_level
                                        : static_cast<double>(whole_number(words[2])) / 100.0;
  std::vector<Row> rows;
  std::vector<BarResult> bars;
  const auto share = [](std::size_t part, std::size_t whole) { return digits(percent(part, whole)) + " %"; };
  for (const Profile& profile : profiles) {
    const Cost found = cost_of_pairs(profile, requests, seed, level);
    for (const CostOfKind& kind : found.kinds) {
      rows.push_back({std::string(profile.name), digits(100 * kind.effect) + " %", std::to_string(kind.cases),
                      digits(static_cast<double>(kind.pairs) / static_cast<double>(kind.cases)),
                      share(kind.regressed, kind.cases), share(kind.regressed_by_all, kind.cases)});
    }
    std::cout << profile.name << ": " << found.requests_alarmed << " of " << found.requests
              << " pull requests with any false `regressed`; by all pairs of the plan " << found.requests_alarmed_by_all
              << '\n';
    bars.push_back({std::string(profile.name) + ": pairs measured, percent of the plan's", 100 * found.share(), 0,
                    100 * cost_bar(profile)});
  }
  std::cout << "\n200 cases paired together, at most " << most_pairs << " pairs each\n\n";
  print_table(std::cout, {"machine", "slower by", "cases", "pairs, mean", "called regressed", "by all pairs"}, rows);
  std::cout << '\n';
  return print_bars(std::cout, bars);
}

Row turn_row(const TurnRates& rates) {
  const auto found = [&](Change change, std::size_t TurnTally::*call) {
    const TurnTally& tally = rates.of(change);
    return tally.cases == 0 ? std::string() : digits(percent(tally.*call, tally.cases));
  };
  const TurnTally& unchanged = rates.of(Change::none);
  const std::size_t decided = unchanged.regressed + unchanged.improved + unchanged.equivalent;
  return {rates.machine,
          rates.rule,
          std::to_string(rates.requests_alarmed) + " of " + std::to_string(rates.requests) +
              " (<= " + digits(100.0 * *share_upper_bound(rates.requests_alarmed, rates.requests)) + " %)",
          found(Change::slower_2, &TurnTally::regressed),
          found(Change::slower_5, &TurnTally::regressed),
          found(Change::slower_10, &TurnTally::regressed),
          found(Change::slow_calls, &TurnTally::regressed),
          found(Change::faster_5, &TurnTally::improved),
          digits(percent(decided, unchanged.cases)),
          found(Change::slower_5, &TurnTally::equivalent),
          digits(static_cast<double>(unchanged.pairs) / static_cast<double>(unchanged.cases))};
}

std::size_t turns(const std::vector<std::string>& words) {
  const std::string profile = words.empty() ? "all" : one_of(words[0], {"all", "quiet", "ci", "noisy", "two-state"});
  const std::uint64_t requests = words.size() < 2 ? 640 : whole_number(words[1]);
  const std::uint64_t seed = words.size() < 3 ? 1 : whole_number(words[2]);
  std::size_t missed = 0;
  for (const PairDesign& design : pair_designs()) {
    const double start = processor_seconds();
    std::vector<TurnRates> rates;
    for (const TurnMachine& machine : turn_machines()) {
      if (profile != "all" && profile != machine.name) continue;
      for (TurnRates& one : study_turns(machine, design, requests, seed)) rates.push_back(std::move(one));
    }
    std::vector<Row> rows;
    for (const TurnRates& one : rates) rows.push_back(turn_row(one));
    std::cout << design.name << ", all paired; " << requests << " requests, a sixteenth of them with changes; at most "
              << design.options.last << " pairs a case\n\n";
    print_table(std::cout,
                {"machine", "pairs", "requests with a false alarm (95 % bound)", "+2 % found, %", "+5 %", "+10 %",
                 "every third call", "-5 % found", "unchanged decided, %", "+5 % called equivalent, %",
                 "pairs of an unchanged case"},
                rows);
    std::cout << '\n';
    missed += print_bars(std::cout, bars_of(rates));
    std::cout << digits(processor_seconds() - start) << " s of processor time\n\n" << std::flush;
  }
  return missed;
}

std::size_t recordings(const std::vector<std::string>& words) {
  const Recordings read = read_recordings({words.begin(), words.end()});
  std::size_t missed = 0;
  for (std::size_t folder = 0; folder < read.folders.size(); ++folder) {
    std::cout << "folder " << folder + 1 << " of " << read.folders.size()
              << "; sessions in all: " << read.sessions.size() << "\n\n";
    const CountTable sessions = judge_sessions(read, folder);
    print_counts(std::cout, sessions, {"base2", "alt", "p2", "p5", "p10"});
    const CountTable gate = judge_gate(read, folder);
    std::cout << "the gate: a session's screen, then recorded pairs; decided: any answer\n\n";
    print_counts(std::cout, gate, {"base2", "alt", "p2", "p5", "p10"});
    std::cout << "intervals shown as 99 % that miss the truth, unchanged code\n\n";
    print_counts(std::cout, missed_intervals(read, folder), {"base", "base2"});
    std::cout << "unconfirmed: the whole 1 - 0.01/m interval beyond the 5 % gate\n\n";
    print_counts(std::cout, judge_unconfirmed(read, folder),
                 {"A/A", "runs with any", "+10 %", "x1.2", "x1.3", "x1.5", "x2"});
    const CountTable sequences = judge_sequences(read, folder);
    print_counts(std::cout, sequences, {"aa", "alt", "p2", "p5", "p10"});
    missed += print_bars(std::cout, bars_of(sessions, gate, sequences));
  }
  return missed;
}

using Command = std::size_t (*)(const std::vector<std::string>&);

Command find_command(const std::vector<std::string>& words) {
  if (words.empty()) return nullptr;
  if (words[0] == "rates") return rates;
  if (words[0] == "open") return open_cases;
  if (words[0] == "suspects") return suspects;
  if (words[0] == "claims") return claims;
  if (words[0] == "recorded-claims") return recorded_claims;
  if (words[0] == "coin") return coin;
  if (words[0] == "cost") return cost;
  if (words[0] == "turns") return turns;
  if (words[0] == "recordings" && words.size() > 1) return recordings;
  return nullptr;
}

}  // namespace

int run(const std::vector<std::string>& words) {
  const Command command = find_command(words);
  if (command == nullptr) {
    std::cerr << usage;
    return 2;
  }
  try {
    return command({words.begin() + 1, words.end()}) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "simulations: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace torchgate::simulations

int main(int argc, char** argv) {
  return torchgate::simulations::run({argv + 1, argv + argc});
}
