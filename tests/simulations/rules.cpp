// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/rules.hpp"

#include <array>
#include <cmath>

#include "stats/multiplicity.hpp"
#include "tests/simulations/two_stages.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;
using stats::Screen;

constexpr Screening suite_history{stored_runs, Drift::of_suite, RunSd::assumed};

constexpr Screening one_run(RunSd run_sd) {
  return {1, Drift::kept, run_sd};
}

constexpr Screening three_runs(RunSd run_sd) {
  return {3, Drift::kept, run_sd};
}

RuleAnswers ask_textbook(Question& question, bool gated) {
  RuleAnswers result;
  for (std::size_t which = 0; which < question.request().cases(); ++which) {
    const stats::Textbook judged = question.request().textbook(which, question.effect(which));
    Said said = Said::nothing;
    if (judged.call == Call::regressed && (!gated || judged.beyond_gate)) said = Said::slower;
    if (judged.call == Call::improved && !gated) said = Said::faster;
    result.answers.push_back(said);
  }
  return result;
}

// One stage: the list of suspects at a false discovery rate of 5 %, at least 1 %.
RuleAnswers one_stage(Question& question) {
  constexpr double false_discoveries = 0.05;
  const double margin = std::log1p(0.01);
  const std::vector<Screen>& screens = question.screens(suite_history);
  std::vector<double> p;
  for (const Screen& screen : screens) p.push_back(screen.change->p);
  const std::vector<double> adjusted = *stats::benjamini_hochberg(p);
  RuleAnswers result;
  for (std::size_t which = 0; which < screens.size(); ++which) {
    const double effect = screens[which].change->effect;
    result.answers.push_back(direction(adjusted[which] < false_discoveries && std::abs(effect) >= margin, effect));
  }
  return result;
}

// Without pairs, a suspect fails the build only when its whole interval lies beyond the gate.
RuleAnswers beyond_the_gate(const std::vector<Screen>& screens) {
  RuleAnswers result;
  for (const Screen& screen : screens) result.suspects += screen.call == Call::suspected ? 1U : 0U;
  for (const Screen& screen : screens) {
    const bool fails = screen.call == Call::suspected && stats::beyond_gate(*screen.change, result.suspects);
    result.answers.push_back(fails ? Said::slower : Said::nothing);
  }
  return result;
}

RuleAnswers fails_the_gate(Question& question) {
  Procedure procedure;
  procedure.least_effect = std::log1p(0.05);
  return two_stages(question, procedure);
}

RuleAnswers both_ways(Question& question) {
  Procedure procedure;
  procedure.confirm = Confirm::both;
  return two_stages(question, procedure);
}

RuleAnswers candidates_below(Question& question, double p) {
  Procedure procedure;
  procedure.candidate_p = p;
  return two_stages(question, procedure);
}

RuleAnswers screened_by(Question& question, const Screening& screening) {
  Procedure procedure;
  procedure.screening = screening;
  return two_stages(question, procedure);
}

constexpr std::array rules{
    Rule{textbook_rule, [](Question& q) { return ask_textbook(q, false); }},
    Rule{"the same, and beyond the 5 % gate", [](Question& q) { return ask_textbook(q, true); }},
    Rule{"screen, 1 stored run, run SD taken as 1 %",
         [](Question& q) { return suspicions(q.screens(one_run(RunSd::assumed))); }},
    Rule{"screen, 1 stored run, run SD calibrated by 3 runs",
         [](Question& q) { return suspicions(q.screens(one_run(RunSd::calibrated_by_3))); }},
    Rule{"screen, 1 stored run, run SD calibrated by 10 runs",
         [](Question& q) { return suspicions(q.screens(one_run(RunSd::calibrated_by_10))); }},
    Rule{"screen, 10 stored runs, drift kept",
         [](Question& q) {
           return suspicions(q.screens({stored_runs, Drift::kept}));
         }},
    Rule{"screen, 10 stored runs, drift of the suite removed",
         [](Question& q) { return suspicions(q.screens(suite_history)); }},
    Rule{"screen, 10 stored runs, drift of 5 control cases removed",
         [](Question& q) {
           return suspicions(q.screens({stored_runs, Drift::of_controls}));
         }},
    Rule{"the suite's drift removed, BH 5 %, at least 1 % (one stage)", one_stage},
    Rule{suite_rule, [](Question& q) { return two_stages(q, {}); }},
    Rule{"the same, estimated at 5 % or more (fails)", fails_the_gate},
    Rule{both_ways_rule, both_ways},
    Rule{"two stages, candidates from p < 0.05 on", [](Question& q) { return candidates_below(q, 0.05); }},
    Rule{"two stages, candidates from p < 0.20 on", [](Question& q) { return candidates_below(q, 0.20); }},
    Rule{"two stages, drift of 5 control cases removed",
         [](Question& q) {
           return screened_by(q, {stored_runs, Drift::of_controls});
         }},
    Rule{"two stages, drift kept",
         [](Question& q) {
           return screened_by(q, {stored_runs, Drift::kept});
         }},
    Rule{"two stages, 1 stored run, run SD taken as 1 %",
         [](Question& q) { return screened_by(q, one_run(RunSd::assumed)); }},
    Rule{"two stages, 1 stored run, run SD calibrated by 3 runs",
         [](Question& q) { return screened_by(q, one_run(RunSd::calibrated_by_3)); }},
    Rule{"two stages, 1 stored run, run SD calibrated by 10 runs",
         [](Question& q) { return screened_by(q, one_run(RunSd::calibrated_by_10)); }},
    Rule{open_rule, [](Question& q) { return two_stages(q, with_open_cases(suite_history)); }},
    Rule{open_rule_few, [](Question& q) { return two_stages(q, with_open_cases(three_runs(RunSd::calibrated_by_3))); }},
    Rule{open_rule_one, [](Question& q) { return two_stages(q, with_open_cases(one_run(RunSd::assumed))); }},
    Rule{"unconfirmed, 10 runs, all of it beyond the gate (fails)",
         [](Question& q) { return beyond_the_gate(q.screens(suite_history)); }},
    Rule{"unconfirmed, 1 run, SD by 3 runs, all of it beyond the gate (fails)",
         [](Question& q) { return beyond_the_gate(q.screens(one_run(RunSd::calibrated_by_3))); }},
};

RuleAnswers open_with(Question& question, const Screening& screening, double share, std::size_t from) {
  Procedure procedure = with_open_cases(screening);
  procedure.suspects_share = share;
  procedure.equivalence_from = from;
  return two_stages(question, procedure);
}

constexpr std::array open_rules{
    Rule{"10 runs, no open cases", [](Question& q) { return two_stages(q, {}); }},
    Rule{"10 runs, shares .5/.5, from 6 pairs", [](Question& q) { return open_with(q, suite_history, .5, 6); }},
    Rule{"10 runs, shares .8/.2, from 6 pairs", [](Question& q) { return open_with(q, suite_history, .8, 6); }},
    Rule{"10 runs, shares .5/.5, from 5 pairs", [](Question& q) { return open_with(q, suite_history, .5, 5); }},
    Rule{"10 runs, shares .5/.5, from 4 pairs", [](Question& q) { return open_with(q, suite_history, .5, 4); }},
    Rule{"3 runs, SD by 3 runs, no open cases",
         [](Question& q) { return screened_by(q, three_runs(RunSd::calibrated_by_3)); }},
    Rule{"3 runs, SD by 3 runs, .5/.5, from 6",
         [](Question& q) { return open_with(q, three_runs(RunSd::calibrated_by_3), .5, 6); }},
    Rule{"3 runs, SD by 3 runs, .8/.2, from 6",
         [](Question& q) { return open_with(q, three_runs(RunSd::calibrated_by_3), .8, 6); }},
    Rule{"1 run, SD 1 %, no open cases", [](Question& q) { return screened_by(q, one_run(RunSd::assumed)); }},
    Rule{"1 run, SD 1 %, .5/.5, from 6", [](Question& q) { return open_with(q, one_run(RunSd::assumed), .5, 6); }},
    Rule{"1 run, SD 1 %, .8/.2, from 6", [](Question& q) { return open_with(q, one_run(RunSd::assumed), .8, 6); }},
    Rule{"1 run, SD 1 %, .5/.5, from 5", [](Question& q) { return open_with(q, one_run(RunSd::assumed), .5, 5); }},
    Rule{"1 run, SD 1 %, .5/.5, from 4", [](Question& q) { return open_with(q, one_run(RunSd::assumed), .5, 4); }},
    Rule{"1 run, SD by 3 runs, .5/.5, from 6",
         [](Question& q) { return open_with(q, one_run(RunSd::calibrated_by_3), .5, 6); }},
};

}  // namespace

std::span<const Rule> all_rules() {
  return rules;
}

std::span<const Rule> open_case_rules() {
  return open_rules;
}

}  // namespace torchgate::simulations
