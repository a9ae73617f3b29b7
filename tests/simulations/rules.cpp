// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/rules.hpp"

#include <array>
#include <cmath>

#include "stats/drift.hpp"
#include "stats/interleaved.hpp"
#include "stats/multiplicity.hpp"
#include "stats/student_t.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;
using stats::HistoryCase;
using stats::Screen;

Said direction(bool alarm, double effect) {
  if (!alarm) return Said::nothing;
  return effect > 0.0 ? Said::slower : Said::faster;
}

// What a screen alone says: its candidates, in their direction.
Said suspicion(const Screen& screen) {
  if (screen.candidate) return direction(true, screen.change->effect);
  return screen.call == Call::equivalent ? Said::same : Said::nothing;
}

RuleAnswers suspicions(const std::vector<Screen>& screens) {
  RuleAnswers result;
  for (const Screen& screen : screens) result.answers.push_back(suspicion(screen));
  return result;
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

std::vector<Screen> few_runs(Question& question, double run_sd) {
  std::vector<Screen> screens;
  for (std::size_t which = 0; which < question.request().cases(); ++which) {
    screens.push_back(question.request().few_runs(which, question.effect(which), run_sd));
  }
  return screens;
}

enum class Confirm { slower, both };

// The second stage: every candidate in interleaved pairs, alpha shared over them.
RuleAnswers confirm(Question& question, const std::vector<Screen>& screens, Confirm which_way) {
  RuleAnswers result = suspicions(screens);
  const auto is_asked = [&](Said said) {
    return said == Said::slower || (said == Said::faster && which_way == Confirm::both);
  };
  for (Said said : result.answers) result.candidates += is_asked(said) ? 1U : 0U;
  stats::InterleavedOptions options;
  options.family = result.candidates;
  for (std::size_t which = 0; which < screens.size(); ++which) {
    Said& said = result.answers[which];
    if (!is_asked(said)) {
      if (said == Said::faster) said = Said::nothing;
      continue;
    }
    std::vector<double> differences = question.request().pairs(which);
    for (double& difference : differences) difference += question.effect(which);
    const stats::InterleavedJudgement judged = stats::judge_interleaved(differences, options);
    result.pairs += judged.pairs;
    said = direction(judged.call == Call::regressed || judged.call == Call::improved, *judged.effect);
    if (judged.call == Call::equivalent) said = Said::same;
  }
  return result;
}

// The suite's screen with its drift removed, but with candidates from another p on.
std::vector<Screen> candidates_below(Question& question, double p) {
  std::vector<Screen> screens = question.history(Drift::of_suite);
  for (Screen& screen : screens) {
    const double effect = screen.change->effect;
    screen.candidate = screen.change->p < p && std::abs(effect) >= std::log1p(stats::ScreenOptions{}.candidate_effect);
  }
  return screens;
}

// One stage: the list of suspects at a false discovery rate of 5 %, at least 1 %.
RuleAnswers one_stage(Question& question) {
  constexpr double false_discoveries = 0.05;
  const double margin = std::log1p(0.01);
  const std::vector<Screen>& screens = question.history(Drift::of_suite);
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

// Without the baseline's binary: candidates run twice more, later, and the mean of the two is judged like a new run.
RuleAnswers two_later_runs(Question& question) {
  constexpr double alpha = 0.01;
  const double margin = std::log1p(0.01);
  PullRequest& request = question.request();
  RuleAnswers result = suspicions(question.history(Drift::of_suite));
  const std::vector<std::vector<double>>& values = question.values(Drift::of_suite);
  std::vector<std::vector<double>> later(values.size());
  std::vector<HistoryCase> suite;
  for (std::size_t which = 0; which < values.size(); ++which) {
    if (result.answers[which] == Said::slower) {
      ++result.candidates;
      later[which] = request.later_runs(which);
      for (double& value : later[which]) value += question.effect(which);
    } else {
      later[which].assign(2, values[which].back());  // only its stored runs matter: they share the variance
    }
    suite.push_back({std::span(values[which]).first(stored_runs), later[which]});
  }
  const std::vector<Screen> screens = stats::screen_history(suite);
  for (std::size_t which = 0; which < screens.size(); ++which) {
    Said& said = result.answers[which];
    if (said != Said::slower) {
      if (said == Said::faster) said = Said::nothing;
      continue;
    }
    const stats::ChangeEstimate& change = *screens[which].change;
    const bool alarm = change.p < alpha / static_cast<double>(result.candidates) && change.effect >= margin;
    said = alarm ? Said::slower : Said::nothing;
  }
  return result;
}

// Nobody confirms: a suspect fails the build only when its whole interval lies beyond the gate.
RuleAnswers beyond_the_gate(const std::vector<Screen>& screens) {
  RuleAnswers result;
  for (const Screen& screen : screens) result.candidates += screen.call == Call::suspected ? 1U : 0U;
  for (const Screen& screen : screens) {
    const bool fails = screen.call == Call::suspected && stats::beyond_gate(*screen.change, result.candidates);
    result.answers.push_back(fails ? Said::slower : Said::nothing);
  }
  return result;
}

// The default rule as the gate fails a build by it: confirmed, and estimated at 5 % or more.
RuleAnswers fails_the_gate(Question& question) {
  RuleAnswers result = confirm(question, question.history(Drift::of_suite), Confirm::slower);
  stats::InterleavedOptions options;
  options.family = result.candidates;
  for (std::size_t which = 0; which < result.answers.size(); ++which) {
    if (result.answers[which] != Said::slower) continue;
    std::vector<double> differences = question.request().pairs(which);
    for (double& difference : differences) difference += question.effect(which);
    if (*stats::judge_interleaved(differences, options).effect < std::log1p(0.05)) {
      result.answers[which] = Said::nothing;
    }
  }
  return result;
}

constexpr double assumed_run_sd = 0.01;

double calibrated_run_sd(const Question& question) {
  return run_to_run_sd(question.request().machine().setting().profile);
}

constexpr std::array rules{
    Rule{textbook_rule, [](Question& q) { return ask_textbook(q, false); }},
    Rule{"the same, and beyond the 5 % gate", [](Question& q) { return ask_textbook(q, true); }},
    Rule{"1 stored run, run SD taken as 1 %", [](Question& q) { return suspicions(few_runs(q, assumed_run_sd)); }},
    Rule{"1 stored run, run SD calibrated", [](Question& q) { return suspicions(few_runs(q, calibrated_run_sd(q))); }},
    Rule{"10 stored runs, drift kept", [](Question& q) { return suspicions(q.history(Drift::kept)); }},
    Rule{"10 stored runs, drift of the suite removed",
         [](Question& q) { return suspicions(q.history(Drift::of_suite)); }},
    Rule{"10 stored runs, drift of 5 control cases removed",
         [](Question& q) { return suspicions(q.history(Drift::of_controls)); }},
    Rule{"the same suite drift, BH 5 %, at least 1 % (one stage)", one_stage},
    Rule{suite_rule, [](Question& q) { return confirm(q, q.history(Drift::of_suite), Confirm::slower); }},
    Rule{"the same, estimated at 5 % or more (fails)", fails_the_gate},
    Rule{both_ways_rule, [](Question& q) { return confirm(q, q.history(Drift::of_suite), Confirm::both); }},
    Rule{"two stages, candidates from p < 0.10 on",
         [](Question& q) { return confirm(q, candidates_below(q, 0.10), Confirm::slower); }},
    Rule{"two stages, candidates from p < 0.20 on",
         [](Question& q) { return confirm(q, candidates_below(q, 0.20), Confirm::slower); }},
    Rule{"two stages, drift of 5 control cases removed",
         [](Question& q) { return confirm(q, q.history(Drift::of_controls), Confirm::slower); }},
    Rule{"two stages, drift kept", [](Question& q) { return confirm(q, q.history(Drift::kept), Confirm::slower); }},
    Rule{"two stages, 1 stored run, run SD calibrated",
         [](Question& q) { return confirm(q, few_runs(q, calibrated_run_sd(q)), Confirm::slower); }},
    Rule{"no baseline binary: two later runs agree", two_later_runs},
    Rule{"unconfirmed, 10 runs, all of it beyond the gate (fails)",
         [](Question& q) { return beyond_the_gate(q.history(Drift::of_suite)); }},
    Rule{"unconfirmed, 1 run, all of it beyond the gate (fails)",
         [](Question& q) { return beyond_the_gate(few_runs(q, calibrated_run_sd(q))); }},
};

}  // namespace

std::span<const Rule> all_rules() {
  return rules;
}

std::vector<std::vector<double>> Question::without_drift(Drift drift) const {
  const std::size_t cases = request_.cases();
  std::vector<std::vector<double>> values(cases);
  for (std::size_t which = 0; which < cases; ++which) {
    const std::span<const double> stored = request_.stored(which);
    values[which].assign(stored.begin(), stored.end());
    values[which].push_back(request_.current(which) + effect(which));
  }
  if (drift == Drift::kept) return values;
  const std::size_t watched = drift == Drift::of_controls ? control_cases : cases;
  const std::vector<double> shifts = *stats::drift_of_controls(std::span(values).first(watched));
  for (std::vector<double>& one : values) {
    for (std::size_t run = 0; run <= stored_runs; ++run) one[run] -= shifts[run];
  }
  return values;
}

const std::vector<std::vector<double>>& Question::values(Drift drift) {
  auto& values = values_[static_cast<std::size_t>(drift)];
  if (!values) values = without_drift(drift);
  return *values;
}

const std::vector<Screen>& Question::history(Drift drift) {
  auto& screens = screens_[static_cast<std::size_t>(drift)];
  if (!screens) {
    std::vector<HistoryCase> suite;
    for (const std::vector<double>& one : values(drift)) {
      suite.push_back({std::span(one).first(stored_runs), std::span(one).subspan(stored_runs)});
    }
    screens = stats::screen_history(suite);
  }
  return *screens;
}

}  // namespace torchgate::simulations
