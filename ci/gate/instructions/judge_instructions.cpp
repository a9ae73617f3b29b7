// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/judge_instructions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/instructions/function_changes.hpp"
#include "reports/facts/about_counts.hpp"

namespace torchgate::gate {
namespace {

using record::InstructionCount;
using reports::Verdict;

bool is_gated(const policy::CaseSettings& own) {
  const auto named = own.metrics.find(record::instructions_metric);
  return named != own.metrics.end() && named->second != policy::Action::pass;
}

bool is_known(const InstructionCount* count) {
  return count != nullptr && !count->per_call.empty();
}

// What the pass says about itself in one note each.
class Summary {
 public:
  void compared(const std::string& name, bool changed, double tolerance, double threshold) {
    ++compared_;
    changed_ += changed ? 1 : 0;
    if (tolerance <= threshold || tolerance <= widest_) return;
    widest_ = tolerance;
    widest_case_ = name;
  }
  void not_compared(const std::string& name, const facts::Fact& why, bool gated) {
    auto& [count, first, any_gated, fact] = reasons_[why.words()];
    fact = why;
    if (count++ == 0) first = name;
    any_gated = any_gated || gated;
  }

  /// PLAN: of the newer side; its calls are those of both, as counts of different numbers are not compared.
  void tell(const std::string& counter, const std::optional<record::CountPlan>& plan, Remarks& remarks) const {
    if (compared_ > 0 && widest_case_.empty())
      remarks.notes.push_back(facts::instructions(counter, compared_, changed_));
    if (compared_ > 0 && !widest_case_.empty())
      remarks.notes.push_back(facts::instructions_with_tolerance(counter, compared_, changed_, widest_, widest_case_));
    if (compared_ > 0 && plan) remarks.notes.push_back(facts::calls_counted(plan->calls));
    for (const auto& [words, reason] : reasons_) {
      const auto& [count, first, any_gated, why] = reason;
      facts::Fact fact = count == 1 ? facts::instructions_not_compared(first, why)
                                    : facts::instructions_of_cases_not_compared(count, why);
      if (any_gated) {
        remarks.doubts.emplace_back(std::move(fact));
      } else {
        remarks.notes.push_back(std::move(fact));
      }
    }
  }

 private:
  struct Reason {
    std::size_t count = 0;
    std::string first;
    bool any_gated = false;
    facts::Fact fact;
  };
  std::size_t compared_ = 0;
  std::size_t changed_ = 0;
  double widest_ = 0;
  std::string widest_case_;
  std::map<std::string, Reason> reasons_;  // by their words, which give the order
};

class InstructionsJudge {
 public:
  InstructionsJudge(const CountedSides& sides, policy::CasePolicies& policies, const policy::Gate& policy,
                    std::vector<Judged>& cases)
      : sides_(sides),
        policies_(policies),
        times_(judges_time(policy)),
        cases_(cases),
        before_(counts_of(sides.before)),
        after_(counts_of(sides.after)),
        not_comparable_(counts_not_comparable(sides.before, sides.after)),
        older_(sides.pool == nullptr ? 0 : sides.pool->size()) {}

  void judge(Remarks& remarks) {
    for (const auto& [name, after] : sides_.after_evidence->cases()) {
      const CaseEvidence* const before = sides_.before_evidence->find(name);
      // Its state is told elsewhere: missing, skipped, failed, wrong, unchanged.
      if (after.measured.empty()) continue;
      const bool comparable =
          before != nullptr && !before->measured.empty() && !identity_differs(*before->definition, *after.definition);
      const InstructionCount* const nearest = comparable ? find(before_, name) : nullptr;
      const auto older = is_known(nearest) ? std::nullopt : older_count(after);
      if (older) {
        const std::size_t first = cases_.size();
        judge_case(*after.definition, {older->count, std::nullopt, older->run}, find(after_, name));
        for (std::size_t place = first; place < cases_.size(); ++place) cases_[place].numbers_of = older->numbers_of;
        continue;
      }
      if (!comparable) continue;  // new, or not comparable
      if (sides_.leaves_out && sides_.leaves_out(after.definition->group)) continue;
      judge_case(*after.definition, {nearest, not_comparable_, {}}, find(after_, name));
    }
    std::string counter;
    for (const auto& [name, count] : after_)
      if (counter.empty()) counter = count->counter;
    summary_.tell(counter, sides_.after.run->plan.count, remarks);
  }

 private:
  static const InstructionCount* find(const std::map<std::string_view, const InstructionCount*>& counts,
                                      std::string_view name) {
    const auto found = counts.find(name);
    return found == counts.end() ? nullptr : found->second;
  }

  struct OlderCountOfCase {
    const InstructionCount* count;
    facts::Fact run;
    const record::Run* numbers_of;
  };

  // Of the newest older run that counted the case as this run does. A run that lost a count is not a baseline for it.
  std::optional<OlderCountOfCase> older_count(const CaseEvidence& after) {
    if (sides_.pool == nullptr) return std::nullopt;
    const std::string& name = after.definition->name;
    const StoredCase found = sides_.pool->comparable(
        after, [&](const StoredCase& stored) { return stored.run > 0 && usable_count(stored.run, name) != nullptr; });
    if (found.evidence == nullptr) return std::nullopt;
    return OlderCountOfCase{usable_count(found.run, name), sides_.pool->name_of(found.run),
                            &sides_.pool->run(found.run)};
  }

  const InstructionCount* usable_count(std::size_t run, const std::string& name) {
    auto& known = older_[run];
    const RunSide side{&sides_.pool->run(run), 0};
    if (!known) known = {counts_of(side), counts_not_comparable(side, sides_.after)};
    const InstructionCount* const count = find(known->counts, name);
    return is_known(count) && median_count(*count) > 0 && !known->not_comparable ? count : nullptr;
  }

  // What the baseline counted of a case, and why it may not be compared.
  struct CountBefore {
    const InstructionCount* count = nullptr;
    std::optional<facts::Fact> not_comparable;
    facts::Fact older_run;  // empty: the nearest
  };

  void judge_case(const record::Case& definition, const CountBefore& from, const InstructionCount* after) {
    const InstructionCount* const before = from.count;
    const policy::CaseSettings& own = policies_.of(definition.name);
    if (sides_.gated_only && !is_gated(own)) return;
    if (is_known(before) && is_known(after)) {
      auto why = from.not_comparable ? from.not_comparable : counts_not_comparable(*before, *after);
      if (!why && !(median_count(*before) > 0)) why = facts::baseline_counted_0;
      if (!why && !(median_count(*after) > 0)) return lose(definition, *before, facts::counted_0, true, own);
      return why ? leave_open(definition, *why, own) : compare(definition, *before, *after, own, from.older_run);
    }
    if (is_known(before)) {
      const facts::Fact why = after != nullptr ? facts::said(after->unknown) : facts::not_counted();
      return from.not_comparable ? leave_open(definition, facts::and_also(*from.not_comparable, why), own)
                                 : lose(definition, *before, why, after != nullptr, own);
    }
    const bool gated = is_gated(own);
    if (before == nullptr && after == nullptr) {
      if (gated) leave_open(definition, facts::neither_counted, own);
      return;
    }
    leave_open(definition,
               before == nullptr ? facts::baseline_did_not_count() : facts::unknown_in_baseline(before->unknown), own);
  }

  Judged& add(const record::Case& definition, Verdict verdict) {
    cases_.push_back(judged_count(definition, verdict));
    return cases_.back();
  }

  // Not judged. What the policy gates is a finding: without one it would pass in silence.
  void leave_open(const record::Case& definition, const facts::Fact& why, const policy::CaseSettings& own) {
    const bool gated = is_gated(own);
    summary_.not_compared(definition.name, why, gated);
    if (gated) add_reason(add(definition, Verdict::inconclusive), ReasonKind::counted, facts::not_compared(why));
  }

  // Counted in the baseline and not now. Where the run counted nothing at all, a case that is not gated needs no finding of its own.
  void lose(const record::Case& definition, const InstructionCount& before, const facts::Fact& why, bool this_case_only,
            const policy::CaseSettings& own) {
    const bool gated = is_gated(own);
    summary_.not_compared(definition.name, why, gated);
    if (!gated && !this_case_only) return;
    Judged& judged = add(definition, Verdict::changed);
    judged.counts = Counts{median_count(before), std::nullopt};
    judged.before_processes = static_cast<std::int64_t>(before.per_call.size());
    judged.action_rule = ActionRule::counted;
    add_reason(judged, ReasonKind::counted, facts::count_lost(why));
  }

  void compare(const record::Case& definition, const InstructionCount& before, const InstructionCount& after,
               const policy::CaseSettings& own, const facts::Fact& older_run) {
    const double change = median_count(after) / median_count(before) - 1;
    const CountTolerance tolerance = tolerance_of(sides_.calibrated, before, after);
    const bool changed = std::abs(change) > tolerance.ratio && std::abs(change) >= own.instructions;
    summary_.compared(definition.name, changed, tolerance.ratio, own.instructions);
    // Processes that differ from each other hide an increase as well as they cause one.
    const bool hidden = !changed && change >= own.instructions && is_gated(own);
    if (!changed && !hidden && times_) return;
    Judged& judged = add(definition, changed ? Verdict::changed : hidden ? Verdict::inconclusive : Verdict::equivalent);
    judged.counts = Counts{median_count(before), median_count(after)};
    judged.before_processes = static_cast<std::int64_t>(before.per_call.size());
    judged.after_processes = static_cast<std::int64_t>(after.per_call.size());
    judged.decision.change = change;
    if (!hidden) judged.action_rule = ActionRule::counted;
    if (!older_run.empty()) add_reason(judged, ReasonKind::provenance, facts::count_of_older(older_run));
    add_reason(judged, ReasonKind::counted,
               facts::instructions_change(change, tolerance.ratio, tolerance.source, own.instructions));
    if (!changed) return;
    if (change < 0) {
      judged.action_rule = ActionRule::listed;
      add_reason(judged, ReasonKind::counted, facts::fewer_are_listed);
    }
    add_reasons(judged, ReasonKind::why, function_changes(before, after));
  }

  const CountedSides& sides_;
  policy::CasePolicies& policies_;
  bool times_;
  std::vector<Judged>& cases_;
  std::map<std::string_view, const InstructionCount*> before_;
  std::map<std::string_view, const InstructionCount*> after_;
  std::optional<facts::Fact> not_comparable_;
  struct OlderCountsOfRun {
    std::map<std::string_view, const InstructionCount*> counts;
    std::optional<facts::Fact> not_comparable;
  };
  std::vector<std::optional<OlderCountsOfRun>> older_;  // of each run of the pool, once asked
  Summary summary_;
};

}  // namespace

CountTolerance tolerance_of(const CalibratedSpread& calibrated_spread, const InstructionCount& before,
                            const InstructionCount& after) {
  const auto from = [](double spread, const facts::Fact& source, bool known) {
    return CountTolerance{std::max(least_tolerance, tolerance_factor * spread), source, known};
  };
  const auto was = spread_of(before);
  const auto is = spread_of(after);
  const double spread = std::max(was.value_or(0), is.value_or(0));
  if (calibrated_spread) {
    const auto calibrated = calibrated_spread(after.case_name, after.counter);
    if (calibrated && *calibrated >= spread) return from(*calibrated, facts::calibrated_spread(*calibrated), true);
  }
  if (!was && !is) return from(assumed_spread, facts::assumed_spread, false);
  return from(spread, facts::spread_of_processes(spread), was && is);
}

Judged judged_count(const record::Case& definition, Verdict verdict) {
  Judged judged = judged_state(definition, verdict, "");
  judged.metric = {record::instructions_metric, "1", record::Direction::lower_is_better, record::MetricKind::exact,
                   false};
  return judged;
}

void judge_instructions(const CountedSides& sides, policy::CasePolicies& policies, const policy::Gate& policy,
                        std::vector<Judged>& cases, Remarks& remarks) {
  InstructionsJudge(sides, policies, policy, cases).judge(remarks);
}

}  // namespace torchgate::gate
