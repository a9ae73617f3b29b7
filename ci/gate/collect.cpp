// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/collect.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/collected_remarks.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/copied_samples.hpp"
#include "ci/gate/evidence/fewer_repetitions.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/in_units.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/libtorch.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/metric_state.hpp"
#include "ci/gate/evidence/much_faster.hpp"
#include "ci/gate/evidence/much_shorter.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/evidence/renamed_cases.hpp"
#include "ci/gate/evidence/stored_copies.hpp"
#include "ci/gate/evidence/stored_pool.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/evidence/varying_counts.hpp"
#include "ci/gate/evidence/weaker_checks.hpp"
#include "ci/gate/evidence/work.hpp"
#include "ci/gate/exact_metrics.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/removed_metrics.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/facts/about_states.hpp"
#include "stats/rules.hpp"
#include "stats/run_value.hpp"
#include "stats/same_level.hpp"

namespace torchgate::gate {
namespace {

class Collector {
 public:
  Collector(const StoredSides& sides, policy::CasePolicies& policies, const policy::Judging& policy)
      : sides_(sides),
        pool_(sides.stored, sides.current.run()),
        policies_(policies),
        policy_(policy),
        partial_missing_(is_partial_missing(policy)),
        unchanged_(sides.stored.front().run(), sides.current.run()),
        are_files_(record::is_imported(sides.stored.front().run()) && record::is_imported(sides.current.run())),
        fewer_repetitions_(sides.stored.front(), sides.current),
        copies_(sides.stored, sides.current),
        other_libtorch_(sides.stored.size()) {}

  Screened collect() {
    const auto cases = all_cases();
    const std::size_t most = judges_time(policy_) ? cases.size() + metrics_beside_primary(cases, policies_) : 0;
    collected_.compared.reserve(most);
    collected_.series.reserve(most);
    for (const auto& [name, definition] : cases) {
      const CaseEvidence* const after = sides_.current.find(name);
      if (sides_.common_only && leave_out(*definition, after)) continue;
      if (after == nullptr) {
        collect_absent(*definition);
      } else {
        collect_case(sides_.stored.front().find(name), *after);
      }
    }
    if (sides_.common_only) settle_left_out(cases);
    join_renamed(collected_.settled, vanished_, appeared_, cases_of_both(cases));
    collected_.fewer_repetitions = fewer_repetitions_.remarks();
    return std::move(collected_);
  }

 private:
  // Also those that only older runs have: the nearest may have lost them.
  [[nodiscard]] std::map<std::string_view, const record::Case*> all_cases() const {
    auto cases = cases_of(sides_.stored.front(), sides_.current);
    for (std::size_t run = 1; run < sides_.stored.size(); ++run) {
      for (const auto& [name, evidence] : sides_.stored[run].cases()) cases.emplace(name, evidence.definition);
    }
    return cases;
  }

  [[nodiscard]] std::vector<const record::Case*> cases_of_both(
      const std::map<std::string_view, const record::Case*>& cases) const {
    std::vector<const record::Case*> both;
    if (!sides_.common_only && (vanished_.empty() || appeared_.empty())) return both;  // nothing to pair
    for (const auto& [name, definition] : cases)
      if (sides_.current.find(name) != nullptr && pool_.known(name).evidence != nullptr) both.push_back(definition);
    return both;
  }

  // Of one side alone, where cases of both are asked for. What the newest stored run removed, or skips, no run can lack.
  bool leave_out(const record::Case& definition, const CaseEvidence* after) {
    if (after != nullptr && pool_.known(definition.name).evidence != nullptr) return false;
    ++(after == nullptr ? collected_.only_before : collected_.only_after);
    if (after != nullptr && !after->definition->skipped) left_out_.after.push_back(after->definition);
    if (after == nullptr && pool_.not_removed(definition).evidence != nullptr) left_out_.before.push_back(&definition);
    return true;
  }

  // Neither side is a part of the other: one of its own cases may be another one's new name.
  void settle_left_out(const std::map<std::string_view, const record::Case*>& cases) {
    const std::int64_t renamed = take_renamed(left_out_, cases_of_both(cases), collected_.settled);
    collected_.only_before -= renamed;
    collected_.only_after -= renamed;
    collected_.no_part = no_part_of_the_other(left_out_, policies_);
  }

  void collect_absent(const record::Case& definition) {
    const StoredCase before = pool_.not_removed(definition);
    if (before.evidence == nullptr) {
      const bool only_older = sides_.stored.front().find(definition.name) == nullptr;
      if (only_older && sides_.current.planned(definition)) collected_.removed_before.push_back(definition.name);
      return;
    }
    auto state = absent_state(*before.evidence, sides_.current, absent_rules(definition));
    if (!state) {
      ++collected_.not_planned;
      return;
    }
    if (before.run > 0) add_reason(*state, ReasonKind::provenance, facts::numbers_of_older(pool_.name_of(before.run)));
    state->numbers_of = &pool_.run(before.run);
    if (sides_.current.coverage(*before.evidence->definition) == Coverage::other_suites)
      ++collected_.vanished_suites[before.evidence->definition->suite];
    vanished_.push_back(collected_.settled.size());
    settle(*std::move(state));
  }

  // A smaller profile leaves cases out. What that of the nearest stored run leaves out as well is not missing in this run.
  [[nodiscard]] AbsentRules absent_rules(const record::Case& definition) const {
    const std::string& profile = sides_.current.run().plan.profile;
    const bool left_out_before = pool_.profile_leaves_out(0, definition);
    const bool as_before = profile == pool_.run(0).plan.profile && !left_out_before;
    return {as_before || pool_.is_in_profile(definition.name, profile), partial_missing_ && !left_out_before};
  }

  void settle(Judged state) {
    if (sides_.current.run().interrupted && state.decision.verdict == reports::Verdict::missing)
      state.action_rule = ActionRule::not_its_turn;
    collected_.settled.push_back(std::move(state));
  }

  // The stored run that is asked: the newest that measured the case as this run did; of a case that this run did not measure, the newest
  // that has numbers.
  [[nodiscard]] StoredCase asked(const CaseEvidence* nearest, const CaseEvidence& after) const {
    const StoredCase found = after.measured.empty() ? pool_.not_removed(*after.definition) : pool_.comparable(after);
    if (found.evidence != nullptr) return found;
    return nearest != nullptr ? StoredCase{nearest, 0} : pool_.known(after.definition->name);
  }

  void collect_case(const CaseEvidence* nearest, const CaseEvidence& after) {
    if (auto state = unchanged_.state(nearest, after)) {
      collected_.unchanged += state->decision.verdict == reports::Verdict::unchanged ? 1 : 0;
      collected_.settled.push_back(*std::move(state));
      return;
    }
    const StoredCase before = asked(nearest, after);
    if (auto state = case_state(before.evidence, after, &sides_.stored.front(), sides_.current)) {
      if (before.evidence == nullptr && state->decision.verdict == reports::Verdict::new_case)
        appeared_.push_back(collected_.settled.size());
      state->numbers_of = &pool_.run(before.run);
      return settle(*std::move(state));
    }
    if (before.evidence == nullptr) return;
    if (auto state = state_of_numbers(after)) {
      settle(*std::move(state));
      return collect_changed_counts(before, after);
    }
    if (has_repeated_process(*before.evidence)) collected_.repeated_before.push_back(after.definition->name);
    if (has_repeated_process(after)) collected_.repeated_after.push_back(after.definition->name);
    if (before.run > 0) collected_.from_older.push_back(after.definition->name);
    const policy::Gate& own = policies_.of(after.definition->name);
    for (Judged& removed : removed_metrics(*before.evidence, after, own)) {
      removed.numbers_of = &pool_.run(before.run);
      settle(std::move(removed));
    }
    const auto work = other_work(*before.evidence, after);
    const std::size_t first = collected_.compared.size();
    std::vector<const record::Metric*> metrics = judged_metrics(*after.definition, own);
    for (const record::Metric* rate : judged_rates(*before.evidence, after, own)) metrics.push_back(rate);
    for (const record::Metric* metric : metrics) collect_metric(before, after, *metric);
    for (std::size_t i = first; work && i < collected_.compared.size(); ++i)
      add_reason(collected_.compared[i], ReasonKind::work, *work);
    auto counts = counts_of(before, after, own);
    std::ranges::move(samples_of_counts(*after.definition, counts), std::back_inserter(metrics));
    std::ranges::move(worse_unjudged(*before.evidence, after, own, metrics),
                      std::back_inserter(collected_.worse_unjudged));
    if (counts.empty() && !judges_time(policy_)) collected_.uncounted.push_back(after.definition->name);
    std::ranges::move(varying_counts(*before.evidence, after, counts), std::back_inserter(collected_.varying_counts));
    std::move(counts.begin(), counts.end(), std::back_inserter(collected_.settled));
    if (auto weaker = weaker_check(*before.evidence, after)) collected_.weaker_checks.push_back(*std::move(weaker));
  }

  std::vector<Judged> counts_of(const StoredCase& before, const CaseEvidence& after, const policy::Gate& own) {
    auto counts = counted_metrics(*before.evidence, after, own, other_libtorch(before.run), older_counts(after));
    for (Judged& each : counts)
      if (each.numbers_of == nullptr) each.numbers_of = &pool_.run(before.run);
    return counts;
  }

  // Of a case whose times say nothing: a count that changed still did.
  void collect_changed_counts(const StoredCase& before, const CaseEvidence& after) {
    auto counts = counts_of(before, after, policies_.of(after.definition->name));
    std::erase_if(counts, [](const Judged& each) { return each.decision.verdict != reports::Verdict::changed; });
    std::ranges::move(counts, std::back_inserter(collected_.settled));
  }

  // Of numbers that are not those of a whole measurement of this change.
  std::optional<Judged> state_of_numbers(const CaseEvidence& after) {
    if (auto state = are_files_ ? fewer_repetitions_.state(after) : std::nullopt) return state;
    auto why = copies_.not_measured_again(after);
    if (!why) return std::nullopt;
    collected_.copied.push_back(after.definition->name);
    Judged state = judged_state(*after.definition, reports::Verdict::not_comparable, *std::move(why));
    state.action_rule = ActionRule::no_numbers_before;
    return state;
  }

  // Of a metric beside the primary one, which the run that is asked about the case may lack, the newest that has it.
  [[nodiscard]] StoredCase with_metric(const StoredCase& before, const CaseEvidence& after,
                                       const record::Metric& metric) const {
    if (metric.primary || !process_values(*before.evidence, metric).medians.empty()) return before;
    const auto has = [&](const StoredCase& stored) {
      const record::Metric* const was = metric_named(*stored.evidence->definition, metric.name);
      return was != nullptr && !meaning_differs(*was, metric) &&
             !process_values(*stored.evidence, metric).medians.empty();
    };
    const StoredCase found = pool_.comparable(after, has);
    return found.evidence != nullptr ? found : before;
  }

  void collect_metric(const StoredCase& asked, const CaseEvidence& after, const record::Metric& metric) {
    const StoredCase before = with_metric(asked, after, metric);
    if (auto state = metric_state(*before.evidence, after, metric)) {
      state->numbers_of = &pool_.run(before.run);
      collected_.settled.push_back(*std::move(state));
    } else if (judges_time(policy_)) {
      compare_metric(before, after, metric);
    }
  }

  // Nothing when a side has no numbers of this metric: of a primary one it always has.
  void compare_metric(const StoredCase& before, const CaseEvidence& after, const record::Metric& metric) {
    ProcessValues before_values = process_values(*before.evidence, metric);
    ProcessValues after_values = process_values(after, metric);
    if (before_values.medians.empty() || after_values.medians.empty()) return;
    Judged judged = compared(*before.evidence, after, metric, before_values, after_values);
    judged.numbers_of = &pool_.run(before.run);
    if (all_zero(before_values, after_values)) {
      settle_equal(judged);
      collected_.settled.push_back(std::move(judged));
      return;
    }
    judged.in_units = judge_in_units(before_values, after_values);
    add_reasons(judged, ReasonKind::measured, loss_reasons(*before.evidence, "baseline"));
    add_reasons(judged, ReasonKind::measured, loss_reasons(after, "this run"));
    if (before.run > 0) {
      judged.older_run = pool_.name_of(before.run);
      add_reason(
          judged, ReasonKind::measured,
          facts::baseline_is_older(judged.older_run, sides_.stored.front().run().id, pool_.why_not_nearest(after)));
    }
    if (const facts::Fact* const elsewhere = pool_.other_machine(before.run, *after.definition))
      judged.other_machine = *elsewhere;
    ComparedSeries series;
    // An empty place keeps the runs in step with the drift of each.
    series.stored.resize(sides_.stored.size());
    series.stored[before.run] = std::move(before_values.worse_logs);
    series.current = std::move(after_values.worse_logs);
    if (stats::rule_reads(policy_.rule, stats::Reads::raw_samples)) {
      series.before_samples = timed_evidence(*before.evidence, metric).samples;
      series.after_samples = timed_evidence(after, metric).samples;
    }
    add_earlier_runs(judged, series, before.run);
    collected_.compared.push_back(std::move(judged));
    collected_.series.push_back(std::move(series));
  }

  void add_earlier_runs(Judged& judged, ComparedSeries& series, std::size_t first) const {
    if (sides_.stored.size() == 1) return;
    std::size_t without_logarithm = 0;
    judged.pooled.push_back(judged.before);
    for (std::size_t i = first + 1; i < sides_.stored.size(); ++i) {
      const CaseEvidence* earlier = sides_.stored[i].find(judged.case_name());
      if (earlier != nullptr && !is_same_case(*earlier->definition, *judged.definition)) earlier = nullptr;
      if (pool_.other_machine(i, *judged.definition) != nullptr) earlier = nullptr;
      judged.pooled.push_back(earlier);
      if (earlier == nullptr) continue;
      ProcessValues values = process_values(*earlier, judged.metric);
      if (judged.in_units) use_units(*judged.in_units, values);
      const std::vector<double>& logs = values.worse_logs;
      if (std::all_of(logs.begin(), logs.end(), [](double value) { return std::isfinite(value); })) {
        series.stored[i] = std::move(values.worse_logs);
      } else {  // one such value, and the rule would have no answer
        judged.pooled.back() = nullptr;
        ++without_logarithm;
      }
    }
    if (without_logarithm > 0) add_reason(judged, ReasonKind::measured, facts::without_logarithm(without_logarithm));
    leave_out_other_levels(judged, series, first);
  }

  // A slow-down that was merged and repaired since is a difference between stored runs, and not their noise.
  void leave_out_other_levels(Judged& judged, ComparedSeries& series, std::size_t first) const {
    std::vector<std::optional<double>> values;
    for (std::size_t i = first; i < series.stored.size(); ++i)
      values.push_back(series.stored[i].empty() ? std::nullopt : stats::run_value(series.stored[i]));
    const std::vector<bool> same = stats::same_level(values, std::log1p(policies_.of(judged.case_name()).latency),
                                                     stats::run_value(series.current));
    const auto left_out = std::count(same.begin(), same.end(), false);
    for (std::size_t i = 0; i < same.size(); ++i) {
      if (same[i]) continue;
      series.stored[first + i].clear();
      judged.pooled[i] = nullptr;
    }
    if (left_out > 0) add_reason(judged, ReasonKind::measured, facts::at_other_level(left_out));
  }

  bool other_libtorch(std::size_t run) {
    auto& known = other_libtorch_[run];
    if (!known) known = libtorch_differs(sides_.stored[run].run(), sides_.current.run());
    return *known;
  }

  OlderCounts older_counts(const CaseEvidence& after) {
    if (sides_.stored.size() == 1) return nullptr;
    return [this, &after](const std::string& metric) -> std::optional<OlderCount> {
      const StoredCase found = pool_.comparable(
          after, [&](const StoredCase& stored) { return exact_value(*stored.evidence, metric).has_value(); });
      if (found.evidence == nullptr) return std::nullopt;
      return OlderCount{found.evidence, other_libtorch(found.run), pool_.name_of(found.run), &pool_.run(found.run)};
    };
  }

  const StoredSides& sides_;
  StoredPool pool_;
  policy::CasePolicies& policies_;
  const policy::Judging& policy_;
  bool partial_missing_;
  UnchangedGroups unchanged_;
  bool are_files_;  // of another tool, on both sides
  FewerRepetitions fewer_repetitions_;
  StoredCopies copies_;
  std::vector<std::optional<bool>> other_libtorch_;  // of each stored run, once asked
  // Places among what is settled.
  std::vector<std::size_t> vanished_;  // measured in the baseline, and not listed by this run
  std::vector<std::size_t> appeared_;  // measured in this run, and not listed by the baseline
  LeftOut left_out_;
  Screened collected_;
};

std::int64_t runnable_cases(const record::Run& run) {
  return std::count_if(run.cases.begin(), run.cases.end(), [](const record::Case& each) { return !each.skipped; });
}

}  // namespace

Judged compared(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                const ProcessValues& before_values, const ProcessValues& after_values) {
  Judged judged;
  judged.definition = after.definition;
  judged.metric = metric;
  const record::Metric* const was = metric_named(*before.definition, metric.name);
  if (was != nullptr && was->judged) judged.metric.judged = true;  // of either side
  judged.before = &before;
  judged.after = &after;
  judged.before_processes = static_cast<std::int64_t>(before_values.medians.size());
  judged.after_processes = static_cast<std::int64_t>(after_values.medians.size());
  if (after_values.calls_per_sample > 1 && shows_percentiles(after_values))
    add_reason(judged, ReasonKind::measured, facts::percentiles_of_blocks(after_values.calls_per_sample));
  if (auto clock = about_clock(before, after, metric)) add_reason(judged, ReasonKind::basis, *std::move(clock));
  return judged;
}

Screened collect(const StoredSides& sides, policy::CasePolicies& policies, const policy::Judging& policy,
                 Remarks& remarks) {
  const record::Run& current = sides.current.run();
  if (!current.processes.empty() && same_objects(sides.stored.front().run(), current))
    remarks.notes.emplace_back(facts::same_stored_programs());
  Screened collected = Collector(sides, policies, policy).collect();
  if (collected.unchanged > 0)
    remarks.notes.push_back(facts::cases_unchanged(collected.unchanged, runnable_cases(current)));
  add_collected_remarks(collected, current, remarks);
  if (facts::Fact shorter = measured_much_shorter(sides.stored.front(), sides.current); !shorter.empty())
    remarks.doubts.emplace_back(std::move(shorter), reports::DoubtKind::inputs);
  if (facts::Fact faster = much_faster(sides.stored.front(), sides.current); !faster.empty())
    remarks.doubts.emplace_back(std::move(faster), reports::DoubtKind::inputs);
  remarks.uncounted = std::move(collected.uncounted);
  if (collected.not_planned > 0)  // without a word, a filter would pass what it hides
    remarks.notes.push_back(not_planned(collected.not_planned, current.plan));
  return collected;
}

}  // namespace torchgate::gate
