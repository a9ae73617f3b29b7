// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/screening.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/drift/machine_drift.hpp"
#include "ci/gate/drift/suite_drift.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "reports/facts/about_machine.hpp"
#include "reports/facts/about_tests.hpp"
#include "stats/quantile.hpp"
#include "stats/rules.hpp"
#include "stats/run_value.hpp"
#include "stats/screen.hpp"

namespace torchgate::gate {
namespace {

void subtract(Screened& collected, const std::vector<double>& shifts) {
  collected.shifts = shifts;
  for (std::size_t i = 0; i < collected.series.size(); ++i) {
    if (collected.compared[i].in_units) continue;  // a drift is a factor
    ComparedSeries& series = collected.series[i];
    for (std::size_t run = 0; run < series.stored.size(); ++run) {
      for (double& value : series.stored[run]) value -= shifts[run];
    }
    for (double& value : series.current) value -= shifts.back();
  }
}

std::vector<CaseSeries> primary_series(const Screened& collected) {
  std::vector<CaseSeries> cases;
  for (std::size_t i = 0; i < collected.compared.size(); ++i) {
    const Judged& judged = collected.compared[i];
    if (!judged.metric.primary || !judged.older_run.empty() || judged.in_units) continue;
    if (!judged.other_machine.empty()) continue;
    CaseSeries series{collected.compared[i].case_name(), {}};
    for (const auto& run : collected.series[i].stored) series.values.push_back(stats::run_value(run).value_or(NAN));
    series.values.push_back(stats::run_value(collected.series[i].current).value_or(NAN));
    cases.push_back(std::move(series));
  }
  return cases;
}

// SHIFT is a logarithm, larger is worse. Of rates alone the change that a reader sees is their fall.
double shown_shift(const Screened& screened, double shift) {
  const auto is_rate = [](const Judged& judged) {
    return !judged.metric.primary || judged.metric.direction == record::Direction::higher_is_better;
  };
  const bool rates = std::all_of(screened.compared.begin(), screened.compared.end(), is_rate);
  return std::expm1(rates ? -shift : shift);
}

// Only for a history: with fewer runs the machine's run-to-run spread is in the test already. Returns the probes.
std::vector<std::string> correct_for_suite_drift(Screened& collected, const Comparison& comparison, Remarks& remarks) {
  if (comparison.baseline.size() < stats::history_from_runs) return {};
  auto found = suite_drift(primary_series(collected), comparison.current->id);
  if (!found) return {};
  const double shift = found->shifts.back();
  const double moved = shown_shift(collected, shift);
  const auto probed = comparison.pairs != nullptr && !found->probes.empty()
                          ? probed_shift(found->probes, *comparison.pairs)
                          : std::nullopt;
  // The pairs ended before the probes had an answer: nothing says that it was the machine.
  if (comparison.pairs != nullptr && !found->probes.empty() && !probed) return {};
  if (probed && shift_is_real(shift, *probed)) {
    remarks.doubts.emplace_back(facts::probes_moved(moved, shown_shift(collected, *probed)),
                                reports::DoubtKind::suite_shift);
    return {};
  }
  subtract(collected, found->shifts);
  if (found->probes.empty()) {
    remarks.notes.push_back(facts::suite_corrected(moved));
  } else if (probed) {
    remarks.notes.push_back(facts::suite_corrected_by_probes(moved, shown_shift(collected, *probed)));
  } else {
    remarks.doubts.emplace_back(facts::suite_corrected_unverified(moved), reports::DoubtKind::suite_shift);
  }
  return std::move(found->probes);
}

std::vector<std::string> correct_for_drift(Screened& collected, const Comparison& comparison,
                                           const policy::Gate& policy, Remarks& remarks) {
  const Drift found = drift(comparison.baseline, *comparison.current, policy);
  if (!found.remark.empty()) remarks.notes.push_back(found.remark);
  if (found.shifts) {
    subtract(collected, *found.shifts);
    return {};
  }
  const stats::Rule& rule = *stats::find_rule(policy.rule);
  if (comparison.confirmable && rule.screens && rule.judges_pairs)
    return correct_for_suite_drift(collected, comparison, remarks);
  return {};
}

stats::CaseNumbers numbers_of(const Judged& judged, const ComparedSeries& series) {
  stats::CaseNumbers one;
  one.baseline = series.stored;
  one.current = series.current;
  one.before_samples = series.before_samples;
  one.after_samples = series.after_samples;
  one.better = better_of(judged.metric);
  return one;
}

// What the machine showed beats what is assumed of machines; what the policy says beats both.
double run_sd_of(const std::string& case_name, const Comparison& comparison, const policy::Gate& policy,
                 double otherwise) {
  if (policy.run_sd || !comparison.run_sd_of) return otherwise;
  return comparison.run_sd_of(case_name).value_or(otherwise);
}

std::vector<stats::RuleAnswer> ask_the_rule(const Screened& collected, const Comparison& comparison,
                                            policy::CasePolicies& policies, const policy::Gate& policy) {
  SuiteNumbers suite;
  const double otherwise = rule_options(policy).run_sd;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < collected.compared.size(); ++i) {
    const Judged& judged = collected.compared[i];
    if (!judged.other_machine.empty()) continue;
    asked.push_back(i);
    suite.numbers.push_back(numbers_of(judged, collected.series[i]));
    suite.run_sd.push_back(run_sd_of(judged.case_name(), comparison, policy, otherwise));
    suite.policies.push_back(&policies.of(judged.case_name()));
  }
  const std::vector<stats::RuleAnswer> found = judge_suite(suite, policy);
  std::vector<stats::RuleAnswer> answers(collected.compared.size());
  for (std::size_t i = 0; i < asked.size(); ++i) answers[asked[i]] = found[i];
  return answers;
}

// A reader sees both numbers, and why nothing follows from them.
void leave_to_pairs(Judged& judged) {
  judged.decision.change = change_between(process_values(*judged.before, judged.metric),
                                          process_values(*judged.after, judged.metric), judged.metric);
  add_reason(judged, ReasonKind::other_machine, judged.other_machine);
}

void decide_by_screen(Judged& judged, const ComparedSeries& series, const stats::RuleAnswer& answer,
                      const policy::Gate& own) {
  if (stats::rule_reads(own.rule, stats::Reads::raw_samples)) {
    facts::Fact samples =
        textbook_samples(process_values(*judged.before, judged.metric), process_values(*judged.after, judged.metric));
    if (!samples.is(facts::no_raw_samples))
      add_reason(judged, ReasonKind::rule_named, facts::textbook_rule(std::move(samples)));
  }
  if (answer.call == stats::Call::equivalent) {
    const auto runs =
        std::count_if(series.stored.begin(), series.stored.end(), [](const auto& run) { return !run.empty(); });
    add_reason(judged, ReasonKind::within,
               facts::within_of_runs(own.equivalence, judged.before_processes, judged.after_processes, runs));
  }
  if (!answer.effect) {
    judged.decision.change = change_between(process_values(*judged.before, judged.metric),
                                            process_values(*judged.after, judged.metric), judged.metric);
  }
  decide(judged, answer);
}

// Not corrected for: a compiler flag that slows every case looks just the same as a slower machine.
void mention_suite_shift(const Screened& screened, Remarks& remarks) {
  std::vector<double> moved;
  for (std::size_t i = 0; i < screened.compared.size(); ++i) {
    const Judged& judged = screened.compared[i];
    if (judged.metric.primary && !judged.in_units && screened.answers[i].effect)
      moved.push_back(*screened.answers[i].effect);
  }
  if (moved.size() < suite_from_cases) return;
  std::sort(moved.begin(), moved.end());
  // Of cases that scatter by 30 % the median is a few per cent off by chance.
  constexpr double level = 0.99;
  const auto interval = stats::quantile_interval(moved, 0.5, level);
  if (!interval || (interval->low <= 0 && interval->high >= 0)) return;
  const double shift = shown_shift(screened, *stats::median(moved));
  if (std::abs(shift) <= suite_shift_worth_a_probe) return;
  remarks.doubts.emplace_back(facts::suite_moved(shift, moved.size()), reports::DoubtKind::suite_shift);
}

// A reader knows what this machine measured now: that is the value after, and the one before is what the stored runs would have
// measured on the machine as it is now.
void undo_shift(Screened& screened, const policy::Gate& policy, Remarks& remarks) {
  const double shift = screened.shifts.empty() ? 0 : screened.shifts.back();
  if (shift == 0 || !stats::rule_reads(policy.rule, stats::Reads::process_values)) return;
  for (std::size_t i = 0; i < screened.answers.size(); ++i) {
    auto& levels = screened.answers[i].levels;
    if (levels && !screened.compared[i].in_units) levels = levels->shifted(shift);
  }
  remarks.notes.emplace_back(facts::values_corrected());
}

}  // namespace

StoredSides::StoredSides(const Comparison& comparison) : current(*comparison.current, 0) {
  for (const record::Run* run : comparison.baseline) stored.emplace_back(*run, 0);
  common_only = comparison.common_only;
}

void screen(Screened& collected, const Comparison& comparison, policy::CasePolicies& policies,
            const policy::Gate& policy, Remarks& remarks) {
  const std::vector<std::string> probes = correct_for_drift(collected, comparison, policy, remarks);
  if (!judges_time(policy)) {
    remarks.notes.emplace_back(facts::times_not_judged());
    return;
  }
  collected.answers = ask_the_rule(collected, comparison, policies, policy);
  undo_shift(collected, policy, remarks);
  for (std::size_t i = 0; i < collected.compared.size(); ++i) {
    Judged& judged = collected.compared[i];
    if (!judged.other_machine.empty()) {
      leave_to_pairs(judged);
      continue;
    }
    decide_by_screen(judged, collected.series[i], collected.answers[i], policies.of(judged.case_name()));
    judged.probe = judged.metric.primary && std::find(probes.begin(), probes.end(), judged.case_name()) != probes.end();
  }
  mention_suite_shift(collected, remarks);
}

}  // namespace torchgate::gate
