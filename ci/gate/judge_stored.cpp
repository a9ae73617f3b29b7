// SPDX-License-Identifier: Apache-2.0
// A run against stored ones: the screen over all cases, then what interleaved pairs say of its suspects.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ci/gate/answer.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/drift/drift.hpp"
#include "ci/gate/drift/suite_drift.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/metric_state.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/exact_findings.hpp"
#include "ci/gate/explain/explain.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/pairs/confirmation.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/pair_state.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "ci/gate/reasons.hpp"
#include "ci/gate/suite_rule.hpp"
#include "ci/gate/waive.hpp"
#include "ci/policy/case_rules.hpp"
#include "stats/quantile.hpp"
#include "stats/rules.hpp"
#include "stats/run_value.hpp"
#include "stats/screen.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::Verdict;

// A case that both sides measured, on its way from numbers to verdict.
struct Compared {
  Finding* finding = nullptr;               // in StoredJudge::judged_
  std::vector<std::vector<double>> stored;  // per stored run that measured it: process values
  std::vector<double> current;
  std::vector<double> before_samples;  // of the nearest stored run; kept only for the rule that asks for them
  std::vector<double> after_samples;
  const stats::RuleAnswer* answer = nullptr;  // in StoredJudge::answers_

  [[nodiscard]] bool primary() const { return finding->metric.primary; }
};

class StoredJudge {
 public:
  StoredJudge(const StoredComparison& comparison, const policy::Policy& policy)
      : comparison_(comparison), policy_(policy), policies_(policy), current_(*comparison.current, 0) {
    for (const record::Run* run : comparison.baseline) stored_.emplace_back(*run, 0);
  }

  reports::Report judge() {
    report_.rule = policy_.rule;
    report_.gate_ratio = policy_.latency;
    report_.equivalence_ratio = policy_.equivalence;
    report_.before = side_header(*comparison_.baseline.front(), 0, "baseline");
    for (std::size_t i = 1; i < comparison_.baseline.size(); ++i)
      report_.before.run_ids.push_back(comparison_.baseline[i]->id);
    report_.after = side_header(*comparison_.current, 0, "this run");
    report_.differences = machine_differences(comparison_.baseline.front()->machine, comparison_.current->machine);
    report_.notes = comparison_.notes;
    report_.doubts = comparison_.doubts;
    if (const auto why = refuse_comparison(comparison_.baseline.front()->machine, comparison_.current->machine)) {
      report_.headline = *why;
      report_.doubts.insert(report_.doubts.begin(), *why + ": numbers of different machines are never compared");
      return std::move(report_);
    }
    add_machine_doubts(report_, sides_of(comparison_), policy_);
    add_run_doubts(report_, *comparison_.baseline.front(), "baseline");
    add_run_doubts(report_, *comparison_.current, "this run");
    if (comparison_.pairs != nullptr) add_run_doubts(report_, *comparison_.pairs, "the pairs");
    collect();
    take_off_drift();
    if (judges_time(policy_)) {
      ask_the_rule();
      settle_suspects();
    } else {
      report_.notes.emplace_back(times_not_judged);
    }
    if (comparison_.pairs != nullptr) mention_pair_count(report_, *comparison_.pairs, policy_);
    if (comparison_.pairs != nullptr) judge_same_objects(report_, *comparison_.pairs, policy_);
    report_.claims = claim_findings(current_, policy_);
    distrust_unfit_or_other_device(report_, comparison_, policy_);
    settle_policy(report_, stored_.front(), current_, policies_, policy_);
    conclude(report_, incomplete_because(*comparison_.current));
    return std::move(report_);
  }

 private:
  void collect() {
    const SideEvidence& nearest = stored_.front();
    const bool other_libtorch = libtorch_differs(nearest.run(), current_.run());
    if (same_objects(nearest.run(), current_.run())) {
      report_.notes.emplace_back(
          "both sides ran the same executables and libraries: what differs is noise of the machine");
    }
    const auto cases = cases_of(nearest, current_);
    const std::size_t most = cases.size() + metrics_beside_primary(cases, policies_);
    compared_.reserve(most);
    judged_.reserve(most);  // they do not move: Compared points to them
    for (const auto& [name, definition] : cases) collect_case(nearest.find(name), current_.find(name), other_libtorch);
    if (report_.cases_not_planned > 0)  // without a word, a filter would pass what it hides
      report_.notes.push_back(not_planned_sentence(report_.cases_not_planned, comparison_.current->plan));
  }

  void collect_case(const CaseEvidence* before, const CaseEvidence* after, bool other_libtorch) {
    if (auto state = state_finding(before, after, current_)) {
      set_plain_effect(*state, policies_.of(state->case_name));
      if (comparison_.current->interrupted && state->verdict == Verdict::missing)
        state->effect = reports::GateEffect::note;
      report_.findings.push_back(std::move(*state));
      return;
    }
    if (after == nullptr && !before->measured.empty()) ++report_.cases_not_planned;
    if (before == nullptr || after == nullptr) return;  // in the baseline, and not in this run's plan
    if (primary_metric(*after->definition) == nullptr) return;
    const policy::Policy& own = policies_.of(after->definition->name);
    for (const record::Metric* metric : judged_metrics(*after->definition, own)) {
      if (!add_metric_state(*before, *after, *metric, own, report_)) collect_metric(*before, *after, *metric);
    }
    for (Finding& changed : exact_findings(*before, *after, own, other_libtorch))
      report_.findings.push_back(std::move(changed));
  }

  // Nothing when a side has no numbers of this metric: of a primary one it always has.
  void collect_metric(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
    const TimedEvidence before_timed = timed_evidence(before, metric);
    const TimedEvidence after_timed = timed_evidence(after, metric);
    if (before_timed.medians.empty() || after_timed.medians.empty()) return;
    Compared compared;
    judged_.push_back(compare_sides(before, after, metric, before_timed, after_timed));
    compared.finding = &judged_.back();
    for (auto& reason : loss_reasons(before, "baseline")) compared.finding->reasons.push_back(std::move(reason));
    for (auto& reason : loss_reasons(after, "this run")) compared.finding->reasons.push_back(std::move(reason));
    compared.current = after_timed.worse_logs;
    if (rule_.reads == stats::Reads::raw_samples) {
      compared.before_samples = before_timed.samples;
      compared.after_samples = after_timed.samples;
    }
    compared.stored.push_back(before_timed.worse_logs);
    std::vector<const CaseEvidence*> runs{&before};
    for (std::size_t i = 1; i < stored_.size(); ++i) {
      const CaseEvidence* earlier = runs.emplace_back(stored_[i].find(after.definition->name));
      const bool comparable = earlier != nullptr && earlier->definition->protocol == after.definition->protocol;
      // An empty place keeps the runs in step with the drift of each.
      compared.stored.push_back(comparable ? timed_evidence(*earlier, metric).worse_logs : std::vector<double>{});
    }
    if (runs.size() > 1) set_noise_parts(*compared.finding->before->noise, runs, metric);
    compared_.push_back(std::move(compared));
  }

  void take_off_drift() {
    const Drift found = drift(comparison_.baseline, *comparison_.current, policy_);
    if (!found.sentence.empty()) report_.notes.push_back(found.sentence);
    if (found.shifts) {
      subtract(*found.shifts);
    } else if (comparison_.confirmable && rule_.screens && rule_.judges_pairs) {
      take_off_suite_drift();
    }
  }

  void subtract(const std::vector<double>& shifts) {
    for (Compared& c : compared_) {
      for (std::size_t run = 0; run < c.stored.size(); ++run) {
        for (double& value : c.stored[run]) value -= shifts[run];
      }
      for (double& value : c.current) value -= shifts.back();
    }
  }

  // Only for a history: with fewer runs the machine's run-to-run spread is in the test already.
  void take_off_suite_drift() {
    if (stored_.size() < stats::history_from_runs) return;
    std::vector<CaseSeries> cases;
    for (const Compared& c : compared_) {
      if (!c.primary()) continue;
      CaseSeries series{c.finding->case_name, {}};
      for (const auto& run : c.stored) series.values.push_back(stats::run_value(run).value_or(NAN));
      series.values.push_back(stats::run_value(c.current).value_or(NAN));
      cases.push_back(std::move(series));
    }
    auto found = suite_drift(cases, comparison_.current->id);
    if (!found) return;
    const double shift = found->shifts.back();
    const auto percent = [](double effect) { return fmt::format("{:+.1f} %", std::expm1(effect) * 100); };
    const std::string moved = "the suite as a whole has moved by " + percent(shift);
    const auto probed = comparison_.pairs != nullptr && !found->probes.empty()
                            ? probed_shift(found->probes, *comparison_.pairs)
                            : std::nullopt;
    if (probed && shift_is_real(shift, *probed)) {
      report_.doubts.emplace_back(
          moved + ", and so did probes in interleaved pairs (" + percent(*probed) + "); not corrected",
          reports::DoubtKind::suite_shift);
      return;
    }
    subtract(found->shifts);
    probes_ = std::move(found->probes);
    if (probes_.empty()) {
      report_.notes.push_back(moved + ": taken off as the machine's drift");
    } else if (probed) {
      report_.notes.push_back(moved + ", probes in interleaved pairs by " + percent(*probed) +
                              ": taken off as the machine's drift");
    } else {
      report_.doubts.emplace_back(moved + ": taken off as the machine's drift, not probed in pairs",
                                  reports::DoubtKind::suite_shift);
    }
  }

  [[nodiscard]] stats::CaseNumbers numbers_of(const Compared& c) const {
    stats::CaseNumbers one;
    one.baseline = c.stored;
    one.current = c.current;
    one.before_samples = c.before_samples;
    one.after_samples = c.after_samples;
    const bool lower = c.finding->metric.direction == record::Direction::lower_is_better;
    one.better = lower ? stats::Better::lower : stats::Better::higher;
    return one;
  }

  void ask_the_rule() {
    SuiteNumbers suite;
    const double otherwise = rule_options(policy_).run_sd;
    for (const Compared& c : compared_) {
      suite.numbers.push_back(numbers_of(c));
      suite.run_sd.push_back(run_sd_of(c.finding->case_name, otherwise));
      suite.policies.push_back(&policies_.of(c.finding->case_name));
    }
    answers_ = judge_suite(suite, policy_);
    for (std::size_t i = 0; i < compared_.size(); ++i) {
      compared_[i].answer = &answers_[i];
      apply_rule(compared_[i]);
    }
    mention_suite_shift();
  }

  // What the machine showed beats what is assumed of machines; what the policy says beats both.
  [[nodiscard]] double run_sd_of(const std::string& case_name, double otherwise) const {
    if (policy_.run_sd || !comparison_.run_sd_of) return otherwise;
    return comparison_.run_sd_of(case_name).value_or(otherwise);
  }

  void apply_rule(Compared& c) {
    Finding& finding = *c.finding;
    const policy::Policy& own = policies_.of(finding.case_name);
    if (rule_.reads == stats::Reads::raw_samples)
      finding.reasons.push_back("textbook rule on " + finding.textbook->samples);
    if (c.answer->call == stats::Call::equivalent) {
      const auto runs = std::count_if(c.stored.begin(), c.stored.end(), [](const auto& run) { return !run.empty(); });
      finding.reasons.push_back(fmt::format("within ±{:g} % at {} v {} processes of {} v 1 {}", own.equivalence * 100,
                                            finding.before->processes, finding.after->processes, runs,
                                            runs == 1 ? "run" : "runs"));
    }
    apply_answer(finding, *c.answer, own);
    finding.probe = c.primary() && std::find(probes_.begin(), probes_.end(), finding.case_name) != probes_.end();
  }

  // Nothing is taken off for it: a compiler flag that slows every case looks just the same as a slower machine.
  void mention_suite_shift() {
    std::vector<double> moved;
    for (const Compared& c : compared_) {
      if (c.primary() && c.answer->effect) moved.push_back(*c.answer->effect);
    }
    if (moved.size() < suite_from_cases) return;
    const double shift = std::expm1(*stats::median(moved));
    if (std::abs(shift) <= suite_shift_worth_a_probe) return;
    report_.doubts.emplace_back(
        fmt::format("the suite as a whole has moved by {:+.1f} % (median of {} cases); not corrected", shift * 100,
                    moved.size()),
        reports::DoubtKind::suite_shift);
  }

  // What to do about an unconfirmed suspect is decided among all suspects: m of them share alpha.
  void settle_suspects() {
    const auto flagged = [](const Compared& c) { return c.finding->verdict == Verdict::suspected; };
    suspects_ = static_cast<std::size_t>(std::count_if(compared_.begin(), compared_.end(), flagged));
    report_.suspects = static_cast<std::int64_t>(suspects_);
    if (comparison_.pairs != nullptr) {
      confirm();
    } else {
      for (Compared& c : compared_) {
        if (flagged(c)) leave_unconfirmed(c, why_unconfirmed());
        if (rule_.needs_pairs())
          c.finding->reasons = {"rule paired judges interleaved pairs only: " + why_unconfirmed()};
      }
    }
    // The other findings stay in front. They are few, and these are too large to have twice.
    std::move(report_.findings.begin(), report_.findings.end(), std::back_inserter(judged_));
    std::rotate(judged_.begin(), judged_.end() - static_cast<std::ptrdiff_t>(report_.findings.size()), judged_.end());
    report_.findings = std::move(judged_);
  }

  [[nodiscard]] std::string why_unconfirmed() const {
    return comparison_.unconfirmed_because.empty() ? "nobody asked for interleaved pairs"
                                                   : comparison_.unconfirmed_because;
  }

  // The same with pairs that decided nothing as without pairs: evidence that could not be gathered acquits nothing.
  void leave_unconfirmed(Compared& c, const std::string& because) {
    Finding& finding = *c.finding;
    const policy::Policy& own = policies_.of(finding.case_name);
    const bool beyond = stats::beyond_gate(*c.answer->change, suspects_, own.alpha, own.latency);
    apply_unconfirmed(finding, beyond, suspects_, because, own);
    const CaseEvidence* const before = stored_.front().find(finding.case_name);
    const CaseEvidence* const after = current_.find(finding.case_name);
    if (c.primary() && before != nullptr && after != nullptr) add_why(finding, *before, *after);
  }

  void confirm() {
    const SideEvidence before(*comparison_.pairs, 0);
    const SideEvidence after(*comparison_.pairs, 1);
    const PairStates states(*comparison_.pairs);
    const PairPlan plan = pair_plan(*comparison_.pairs, policy_);
    for (Compared& c : compared_) {
      const CaseEvidence* paired_before = before.find(c.finding->case_name);
      const CaseEvidence* paired_after = after.find(c.finding->case_name);
      if (paired_before == nullptr || paired_after == nullptr) {
        if (c.finding->verdict == Verdict::suspected) leave_unconfirmed(c, "it has no interleaved pairs");
        continue;
      }
      const policy::Policy& own = policies_.of(c.finding->case_name);
      if (const auto state = states.of(*paired_before, *paired_after)) {
        apply_pair_state(*c.finding, *state);
        set_plain_effect(*c.finding, own);
        continue;
      }
      confirm_case(c, *paired_before, *paired_after, plan);
      if (!c.primary()) continue;
      for (Finding& tail : tail_findings(*paired_before, *paired_after, c.finding->metric, plan, own))
        report_.findings.push_back(std::move(tail));
    }
  }

  void confirm_case(Compared& c, const CaseEvidence& before, const CaseEvidence& after, const PairPlan& plan) {
    Finding& finding = *c.finding;
    const policy::Policy& own = policies_.of(finding.case_name);
    const auto differences =
        pair_differences(timed_evidence(before, finding.metric), timed_evidence(after, finding.metric));
    const auto answer = judge_case_pairs(differences, plan_of_case(plan, before, after, differences.size()), own);
    finding.confirmation = as_confirmation(answer, finding.metric);
    const Verdict screened = finding.verdict;
    if (answer.call == stats::Call::inconclusive && screened == Verdict::suspected) {
      add_reasons(finding, answer.reasons);
      for (auto& reason : loss_reasons(before, "the pairs' before")) finding.reasons.push_back(std::move(reason));
      for (auto& reason : loss_reasons(after, "the pairs' after")) finding.reasons.push_back(std::move(reason));
      if (answer.more_pairs) finding.processes_needed = static_cast<std::int64_t>(*answer.more_pairs);
      leave_unconfirmed(c, answer.pairs == 0 ? "no interleaved pair was measured"
                                             : fmt::format("{} interleaved {} did not decide it", answer.pairs,
                                                           answer.pairs == 1 ? "pair" : "pairs"));
      return;
    }
    const std::string stored = finding.change ? fmt::format("{:+.1f} %", *finding.change * 100) : "a change";
    finding.reasons.clear();
    apply_pairs(finding, answer, own);
    if (screened == Verdict::suspected && finding.verdict != Verdict::regressed) {
      finding.reasons.push_back(fmt::format("the stored baseline suggested {}; {} interleaved pairs did not confirm it",
                                            stored, answer.pairs));
    } else {
      finding.reasons.push_back(comparison_.rebuilt.empty()
                                    ? "both sides' own binaries ran in the pairs, as their hashes show"
                                    : comparison_.rebuilt);
    }
    if (c.primary()) add_why(finding, before, after);
  }

  const StoredComparison& comparison_;
  const policy::Policy& policy_;
  const stats::Rule& rule_ = *stats::find_rule(policy_.rule);
  policy::CasePolicies policies_;
  SideEvidence current_;
  std::vector<SideEvidence> stored_;
  std::vector<Compared> compared_;
  std::vector<stats::RuleAnswer> answers_;
  std::vector<std::string> probes_;
  std::size_t suspects_ = 0;     // m of those that no pairs decide
  std::vector<Finding> judged_;  // of compared_, in its order
  reports::Report report_;
};

}  // namespace

base::Result<reports::Report> judge_stored(const StoredComparison& comparison, const policy::Policy& policy) {
  if (auto checked = check_runs(comparison.baseline, *comparison.current); !checked) return checked.error();
  const StoredComparison fit = without_unfit(comparison, policy);
  return StoredJudge(fit, policy).judge();
}

}  // namespace torchgate::gate
