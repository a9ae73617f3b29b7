// SPDX-License-Identifier: Apache-2.0
// A run against stored ones: the screen over all cases, then what interleaved pairs say of its suspects.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ci/gate/case_state.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/confirmation.hpp"
#include "ci/gate/evidence.hpp"
#include "ci/gate/exact_findings.hpp"
#include "ci/gate/headers.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/machines.hpp"
#include "ci/gate/numbers.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/reasons.hpp"
#include "ci/gate/textbook_rule.hpp"
#include "stats/run_value.hpp"
#include "stats/screen.hpp"

namespace torchgate::gate {
namespace {

using record::Error;
using record::ErrorCode;
using reports::Finding;
using reports::Verdict;

// A case that both sides measured, on its way from numbers to verdict.
struct Compared {
  Finding finding;
  std::vector<std::vector<double>> stored;  // per stored run that measured it: process values
  std::vector<double> current;
  std::vector<double> stored_run_values;
  std::vector<double> current_run_value;
  stats::Screen screen;
};

class StoredJudge {
 public:
  StoredJudge(const StoredComparison& comparison, const Policy& policy)
      : comparison_(comparison), policy_(policy), current_(*comparison.current, 0) {
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
    add_run_doubts(report_, *comparison_.baseline.front(), "baseline");
    add_run_doubts(report_, *comparison_.current, "this run");
    collect();
    screen();
    settle_suspects();
    report_.claims = claim_findings(current_, policy_);
    conclude(report_, comparison_.current->interrupted);
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
    std::set<std::string_view> names;
    for (const auto& [name, evidence] : nearest.cases()) names.insert(name);
    for (const auto& [name, evidence] : current_.cases()) names.insert(name);
    for (const std::string_view name : names) collect_case(nearest.find(name), current_.find(name), other_libtorch);
  }

  void collect_case(const CaseEvidence* before, const CaseEvidence* after, bool other_libtorch) {
    if (auto state = state_finding(before, after, current_)) {
      set_plain_effect(*state, policy_);
      if (comparison_.current->interrupted && state->verdict == Verdict::missing)
        state->effect = reports::GateEffect::note;
      report_.findings.push_back(std::move(*state));
      return;
    }
    if (before == nullptr || after == nullptr) return;  // in the baseline, and not in this run's plan
    const record::Metric* metric = primary_metric(*after->definition);
    if (metric == nullptr) return;
    const TimedEvidence before_timed = timed_evidence(*before, *metric);
    const TimedEvidence after_timed = timed_evidence(*after, *metric);
    if (before_timed.medians.empty() || after_timed.medians.empty()) return;
    Compared compared;
    compared.finding = compare_sides(*before, *after, *metric, before_timed, after_timed);
    for (auto& reason : loss_reasons(*before, "baseline")) compared.finding.reasons.push_back(std::move(reason));
    for (auto& reason : loss_reasons(*after, "this run")) compared.finding.reasons.push_back(std::move(reason));
    compared.current = after_timed.worse_logs;
    compared.stored.push_back(before_timed.worse_logs);
    for (std::size_t i = 1; i < stored_.size(); ++i) {
      const CaseEvidence* earlier = stored_[i].find(after->definition->name);
      if (earlier == nullptr || earlier->measured.empty() ||
          earlier->definition->protocol != after->definition->protocol)
        continue;
      auto values = timed_evidence(*earlier, *metric).worse_logs;
      if (!values.empty()) compared.stored.push_back(std::move(values));
    }
    compared_.push_back(std::move(compared));
    for (Finding& changed : exact_findings(*before, *after, policy_, other_libtorch))
      report_.findings.push_back(std::move(changed));
  }

  void screen() {
    stats::ScreenOptions options;
    options.equivalence = policy_.equivalence;
    options.run_sd = policy_.run_sd;
    std::vector<stats::HistoryCase> suite;
    std::vector<std::size_t> of_suite;
    for (std::size_t i = 0; i < compared_.size(); ++i) {
      Compared& c = compared_[i];
      if (c.stored.size() < stats::history_from_runs) {
        c.screen = stats::screen_few_runs(c.stored, c.current, options);
        continue;
      }
      for (const auto& run : c.stored) c.stored_run_values.push_back(stats::run_value(run).value_or(NAN));
      c.current_run_value.push_back(stats::run_value(c.current).value_or(NAN));
      suite.push_back({c.stored_run_values, c.current_run_value});
      of_suite.push_back(i);
    }
    const auto screened = stats::screen_history(suite, options);
    for (std::size_t i = 0; i < screened.size(); ++i) compared_[of_suite[i]].screen = screened[i];
    for (Compared& c : compared_) apply_screen(c);
  }

  void apply_screen(Compared& c) {
    Finding& finding = c.finding;
    finding.verdict = verdict_of(c.screen.call);
    set_effect_size(finding, c.screen.cohen_d);
    if (c.screen.change) {
      const stats::ChangeEstimate& change = *c.screen.change;
      finding.p = change.p;
      finding.alpha = stats::ScreenOptions{}.candidate_p;
      finding.change = relative_change(change.effect, finding.metric);
      if (const auto interval = stats::effect_interval(change, 1 - policy_.alpha)) {
        finding.interval = relative_interval(*interval, finding.metric);
      }
      finding.smallest_detectable = std::expm1(stats::smallest_detectable_effect(change));
    }
    if (finding.verdict == Verdict::equivalent) {
      finding.reasons.push_back(fmt::format(
          "within ±{:g} % at {} v {} processes of {} v 1 {}", policy_.equivalence * 100, finding.before->processes,
          finding.after->processes, c.stored.size(), c.stored.size() == 1 ? "run" : "runs"));
    }
    add_reasons(finding, c.screen.reasons);
    set_plain_effect(finding, policy_);
  }

  // What to do about an unconfirmed suspect is decided among all suspects: m of them share alpha.
  void settle_suspects() {
    if (policy_.rule == "textbook") {
      for (Compared& c : compared_) apply_textbook(c.finding, policy_);
    } else {
      const auto flagged = [](const Compared& c) { return c.finding.verdict == Verdict::suspected; };
      const auto m = static_cast<std::size_t>(std::count_if(compared_.begin(), compared_.end(), flagged));
      report_.suspects = static_cast<std::int64_t>(m);
      if (comparison_.pairs != nullptr) {
        confirm();
      } else {
        for (Compared& c : compared_) {
          if (flagged(c)) leave_unconfirmed(c, m);
        }
      }
    }
    for (Compared& c : compared_) report_.findings.push_back(std::move(c.finding));
  }

  void leave_unconfirmed(Compared& c, std::size_t m) {
    Finding& finding = c.finding;
    const std::string why = comparison_.unconfirmed_because.empty() ? "nobody asked for interleaved pairs"
                                                                    : comparison_.unconfirmed_because;
    finding.confirmation.emplace();
    finding.confirmation->note = why;
    finding.reasons.push_back("not confirmed: " + why);
    const bool beyond = stats::beyond_gate(*c.screen.change, m, policy_.alpha, policy_.latency);
    switch (policy_.unconfirmed) {
      case Unconfirmed::warn:
        finding.effect = reports::GateEffect::warn;
        break;
      case Unconfirmed::fail:
        finding.effect = reports::GateEffect::fail;
        break;
      case Unconfirmed::beyond:
        finding.effect = beyond ? reports::GateEffect::fail : reports::GateEffect::warn;
        break;
    }
    if (beyond) {
      finding.reasons.push_back(fmt::format("its whole {:g} % interval lies beyond the gate of {:g} %",
                                            100 * (1 - policy_.alpha / static_cast<double>(m)), policy_.latency * 100));
    }
  }

  void confirm() {
    const SideEvidence before(*comparison_.pairs, 0);
    const SideEvidence after(*comparison_.pairs, 1);
    // m was fixed when confirmation started: what the plan of the pairs names, not what came back.
    const std::size_t m = std::max<std::size_t>(1, after.cases().size());
    for (Compared& c : compared_) {
      const CaseEvidence* paired_before = before.find(c.finding.case_name);
      const CaseEvidence* paired_after = after.find(c.finding.case_name);
      if (paired_before == nullptr || paired_after == nullptr) {
        if (c.finding.verdict == Verdict::suspected) leave_unconfirmed(c, m);
        continue;
      }
      confirm_case(c, *paired_before, *paired_after, m);
    }
  }

  void confirm_case(Compared& c, const CaseEvidence& before, const CaseEvidence& after, std::size_t m) {
    Finding& finding = c.finding;
    const auto judgement = judge_case_pairs(
        pair_differences(timed_evidence(before, finding.metric), timed_evidence(after, finding.metric)), m, policy_);
    finding.confirmation = as_confirmation(judgement, m, policy_, finding.metric);
    const Verdict screened = finding.verdict;
    const std::string stored = finding.change ? fmt::format("{:+.1f} %", *finding.change * 100) : "a change";
    if (judgement.call == stats::Call::inconclusive) {
      finding.reasons.push_back(fmt::format("{} interleaved pairs did not decide it", judgement.pairs));
      add_reasons(finding, judgement.reasons);
      if (judgement.more_pairs) finding.processes_needed = static_cast<std::int64_t>(*judgement.more_pairs);
      set_plain_effect(finding, policy_);
      return;
    }
    finding.reasons.clear();
    apply_pairs(finding, judgement, m, policy_);
    if (screened == Verdict::suspected && finding.verdict != Verdict::regressed) {
      finding.reasons.push_back(fmt::format("the stored baseline suggested {}; {} interleaved pairs did not confirm it",
                                            stored, judgement.pairs));
    } else {
      finding.reasons.emplace_back("both sides' own binaries ran in the pairs, as their hashes show");
    }
  }

  const StoredComparison& comparison_;
  const Policy& policy_;
  SideEvidence current_;
  std::vector<SideEvidence> stored_;
  std::vector<Compared> compared_;
  reports::Report report_;
};

}  // namespace

record::Result<reports::Report> judge_stored(const StoredComparison& comparison, const Policy& policy) {
  const record::Run& current = *comparison.current;
  for (const record::Run* run : comparison.baseline) {
    if (run->id == current.id) {
      return Error{
          ErrorCode::bad_input,
          fmt::format("run {} is compared with itself: measure again with `torchgate run`, or name another run",
                      run->id)};
    }
    if (run->sides.size() != 1) {
      return Error{ErrorCode::bad_input,
                   fmt::format("run {} has two sides (before and after): show it with `torchgate report`", run->id)};
    }
  }
  if (current.sides.size() != 1) {
    return Error{ErrorCode::bad_input,
                 fmt::format("run {} has two sides (before and after): show it with `torchgate report`", current.id)};
  }
  return StoredJudge(comparison, policy).judge();
}

std::vector<std::string> suspects(const reports::Report& report, const Policy& policy) {
  std::vector<std::string> names;
  if (policy.confirm == Confirm::none || policy.rule != "default") return names;
  for (const Finding& finding : report.findings) {
    const bool slower = finding.verdict == Verdict::suspected;
    const bool worth_it = slower || (policy.confirm == Confirm::all && finding.verdict == Verdict::inconclusive &&
                                     finding.p && *finding.p < stats::ScreenOptions{}.candidate_p);
    if (worth_it) names.push_back(finding.case_name);
  }
  return names;
}

}  // namespace torchgate::gate
