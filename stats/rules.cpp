// SPDX-License-Identifier: Apache-2.0
#include "stats/rules.hpp"

#include <algorithm>
#include <array>

#include "stats/screen.hpp"

namespace torchgate::stats {

// Each is defined in the file of its name.
JudgeSuite rule_default;
JudgeSuite rule_textbook;
JudgeSuite rule_welch;
JudgeSuite rule_history;
JudgeSuite rule_paired;
JudgeSuite rule_exact;

namespace {

constexpr std::array table{
    Rule{.name = "default",
         .summary = "history where five runs are stored, else welch; interleaved pairs confirm the suspects",
         .screens = true,
         .judges_pairs = true,
         .judge = rule_default},
    Rule{.name = "textbook",
         .summary = "Welch p < 0.05 and Cohen's d > 0.2 on the raw samples as given",
         .reads = Reads::raw_samples,
         .for_one_stored_run = true,
         .judge = rule_textbook},
    Rule{.name = "welch",
         .summary = "Welch on process values plus the machine's run-to-run variance: one stored run is enough",
         .screens = true,
         .for_one_stored_run = true,
         .judge = rule_welch},
    Rule{.name = "history",
         .summary = "prediction test of one run against five or more stored runs, variance shared over the suite",
         .screens = true,
         .fewest_stored_runs = history_from_runs,
         .judge = rule_history},
    Rule{.name = "paired",
         .summary = "exact signed-rank test on interleaved pairs, stopped as soon as the answer is clear",
         .reads = Reads::pairs,
         .judges_pairs = true,
         .fewest_stored_runs = 0,
         .judge = rule_paired},
    Rule{.name = "exact",
         .summary = "counted metrics only: any difference is a change, without a test",
         .reads = Reads::counts,
         .judge = rule_exact},
};

const Rule& only_rule_that_reads(Reads what) {
  return *std::find_if(table.begin(), table.end(), [&](const Rule& rule) { return rule.reads == what; });
}

}  // namespace

std::span<const Rule> rules() {
  return table;
}

const Rule* find_rule(std::string_view name) {
  const auto* const found =
      std::find_if(table.begin(), table.end(), [&](const Rule& rule) { return rule.name == name; });
  return found == table.end() ? nullptr : found;
}

bool rule_reads(std::string_view name, Reads what) {
  const Rule* const rule = find_rule(name);
  return rule != nullptr && rule->reads == what;
}

const Rule& paired_rule() {
  return only_rule_that_reads(Reads::pairs);
}

const Rule& exact_rule() {
  return only_rule_that_reads(Reads::counts);
}

}  // namespace torchgate::stats
