// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/judge_instructions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/instructions/function_changes.hpp"
#include "harness/base/counted.hpp"

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
  void not_compared(const std::string& name, const std::string& why, bool gated) {
    auto& [count, first, any_gated] = reasons_[why];
    if (count++ == 0) first = name;
    any_gated = any_gated || gated;
  }

  void tell(const std::string& counter, Remarks& remarks) const {
    if (compared_ > 0) {
      std::string text = fmt::format("instructions ({}): {} compared, {} changed", counter,
                                     base::counted(compared_, "case", "cases"), changed_);
      if (!widest_case_.empty())
        text += fmt::format(
            "; in some, smaller changes than their tolerance are not seen, at worst {} ({}; `torchgate calibrate "
            "--instructions` lists them)",
            count_percent(widest_), widest_case_);
      remarks.notes.push_back(std::move(text));
    }
    for (const auto& [why, reason] : reasons_) {
      const auto& [count, first, any_gated] = reason;
      const std::string text =
          fmt::format("instructions of {} not compared: {}",
                      count == 1 ? first + " were" : base::counted(count, "case", "cases") + " were", why);
      if (any_gated) {
        remarks.doubts.emplace_back(text);
      } else {
        remarks.notes.push_back(text);
      }
    }
  }

 private:
  struct Reason {
    std::size_t count = 0;
    std::string first;
    bool any_gated = false;
  };
  std::size_t compared_ = 0;
  std::size_t changed_ = 0;
  double widest_ = 0;
  std::string widest_case_;
  std::map<std::string, Reason> reasons_;
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
        judge_case(*after.definition, {older->count, std::nullopt, older->run}, find(after_, name));
        continue;
      }
      if (!comparable) continue;  // new, or not comparable
      if (sides_.leaves_out && sides_.leaves_out(after.definition->group)) continue;
      judge_case(*after.definition, {nearest, not_comparable_, ""}, find(after_, name));
    }
    std::string counter;
    for (const auto& [name, count] : after_)
      if (counter.empty()) counter = count->counter;
    summary_.tell(counter, remarks);
  }

 private:
  static const InstructionCount* find(const std::map<std::string_view, const InstructionCount*>& counts,
                                      std::string_view name) {
    const auto found = counts.find(name);
    return found == counts.end() ? nullptr : found->second;
  }

  struct OlderCountOfCase {
    const InstructionCount* count;
    std::string run;
  };

  // Of the newest older run that counted the case as this run does. A run that lost a count is not a baseline for it.
  std::optional<OlderCountOfCase> older_count(const CaseEvidence& after) {
    if (sides_.pool == nullptr) return std::nullopt;
    const std::string& name = after.definition->name;
    const StoredCase found = sides_.pool->comparable(
        after, [&](const StoredCase& stored) { return stored.run > 0 && usable_count(stored.run, name) != nullptr; });
    if (found.evidence == nullptr) return std::nullopt;
    return OlderCountOfCase{usable_count(found.run, name), sides_.pool->name_of(found.run)};
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
    std::optional<std::string> not_comparable;
    std::string older_run;  // empty: the nearest
  };

  void judge_case(const record::Case& definition, const CountBefore& from, const InstructionCount* after) {
    const InstructionCount* const before = from.count;
    const policy::CaseSettings& own = policies_.of(definition.name);
    if (sides_.gated_only && !is_gated(own)) return;
    if (is_known(before) && is_known(after)) {
      auto why = from.not_comparable ? from.not_comparable : counts_not_comparable(*before, *after);
      if (!why && !(median_count(*before) > 0)) why = "the baseline counted 0";
      if (!why && !(median_count(*after) > 0)) return lose(definition, *before, "0 were counted", true, own);
      return why ? leave_open(definition, *why, own) : compare(definition, *before, *after, own, from.older_run);
    }
    if (is_known(before)) {
      const std::string why =
          after != nullptr ? after->unknown : "this run did not count them (`torchgate run --instructions`)";
      return from.not_comparable ? leave_open(definition, *from.not_comparable + "; and " + why, own)
                                 : lose(definition, *before, why, after != nullptr, own);
    }
    const bool gated = is_gated(own);
    if (before == nullptr && after == nullptr) {
      if (gated) leave_open(definition, "neither side counted them; use `torchgate run --instructions`", own);
      return;
    }
    leave_open(definition,
               before == nullptr ? "the baseline did not count them; add one of `torchgate run --instructions`"
                                 : "unknown in the baseline: " + before->unknown,
               own);
  }

  Judged& add(const record::Case& definition, Verdict verdict) {
    cases_.push_back(judged_count(definition, verdict));
    return cases_.back();
  }

  // Not judged. What the policy gates is a finding: without one it would pass in silence.
  void leave_open(const record::Case& definition, const std::string& why, const policy::CaseSettings& own) {
    const bool gated = is_gated(own);
    summary_.not_compared(definition.name, why, gated);
    if (gated) add_reason(add(definition, Verdict::inconclusive), ReasonKind::counted, "not compared: " + why);
  }

  // Counted in the baseline and not now. Where the run counted nothing at all, a case that is not gated needs no finding of its own.
  void lose(const record::Case& definition, const InstructionCount& before, const std::string& why, bool this_case_only,
            const policy::CaseSettings& own) {
    const bool gated = is_gated(own);
    summary_.not_compared(definition.name, why, gated);
    if (!gated && !this_case_only) return;
    Judged& judged = add(definition, Verdict::changed);
    judged.counts = Counts{median_count(before), std::nullopt};
    judged.before_processes = static_cast<std::int64_t>(before.per_call.size());
    judged.action_rule = ActionRule::counted;
    add_reason(judged, ReasonKind::counted, "counted in the baseline and not now: " + why);
  }

  void compare(const record::Case& definition, const InstructionCount& before, const InstructionCount& after,
               const policy::CaseSettings& own, const std::string& older_run) {
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
    if (!older_run.empty()) {
      add_reason(judged, ReasonKind::provenance,
                 fmt::format("counted in {}: the newest stored run has no count of it", older_run));
    }
    add_reason(judged, ReasonKind::counted,
               fmt::format("{:+.3g} % instructions per call; tolerance {} ({}), judged from {} on", change * 100,
                           count_percent(tolerance.ratio), tolerance.source, count_percent(own.instructions)));
    if (!changed) return;
    if (change < 0) {
      judged.action_rule = ActionRule::listed;
      add_reason(judged, ReasonKind::counted, "fewer instructions are listed only");
    }
    add_reasons(judged, ReasonKind::why, function_changes(before, after));
  }

  const CountedSides& sides_;
  policy::CasePolicies& policies_;
  bool times_;
  std::vector<Judged>& cases_;
  std::map<std::string_view, const InstructionCount*> before_;
  std::map<std::string_view, const InstructionCount*> after_;
  std::optional<std::string> not_comparable_;
  struct OlderCountsOfRun {
    std::map<std::string_view, const InstructionCount*> counts;
    std::optional<std::string> not_comparable;
  };
  std::vector<std::optional<OlderCountsOfRun>> older_;  // of each run of the pool, once asked
  Summary summary_;
};

}  // namespace

std::string count_percent(double ratio) {
  constexpr double per_cent = 100;
  return fmt::format("{:.2g} %", ratio * per_cent);
}

CountTolerance tolerance_of(const CalibratedSpread& calibrated_spread, const InstructionCount& before,
                            const InstructionCount& after) {
  const auto from = [](double spread, const std::string& source, bool known) {
    return CountTolerance{std::max(least_tolerance, tolerance_factor * spread), source, known};
  };
  const auto was = spread_of(before);
  const auto is = spread_of(after);
  const double spread = std::max(was.value_or(0), is.value_or(0));
  if (calibrated_spread) {
    const auto calibrated = calibrated_spread(after.case_name, after.counter);
    if (calibrated && *calibrated >= spread)
      return from(*calibrated, fmt::format("processes of the calibration differ by {}", count_percent(*calibrated)),
                  true);
  }
  if (!was && !is) return from(assumed_spread, "one process per side and no calibration", false);
  return from(spread, fmt::format("processes of a side differ by {}", count_percent(spread)), was && is);
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
