// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/decided.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace torchgate::gate {
namespace {

using reports::Verdict;

bool is_judged(const Decision& decision, bool counts_only) {
  switch (decision.verdict) {
    case Verdict::changed:
      return counts_only;
    case Verdict::inconclusive:
      return decision.p.has_value();  // without a p nothing was weighed: one process per side, no history, no pairs
    case Verdict::regressed:
    case Verdict::over_budget:
    case Verdict::suspected:
    case Verdict::layout:
    case Verdict::improved:
    case Verdict::equivalent:
    case Verdict::unchanged:
      return true;
    default:
      return false;
  }
}

// What was found out about a case, over all that was judged of it.
struct CaseAnswer {
  bool decided = false;    // its primary metric, or a count where only counts are judged
  bool sensitive = false;  // or a slow-down as large as the gate would have been seen
  bool open = false;       // something of it that the baseline has was not compared
  bool no_more = false;    // counted: no more instructions
};

// What an exact metric says of its case. Where times are judged it answers for nothing, but what was lost is open under every rule.
void add_count(const Judged& judged, bool counts_only, CaseAnswer& answer) {
  if (is_lost_count(judged) || judged.decision.verdict == Verdict::inconclusive) {
    answer.open = true;
  } else if (counts_only && judged.counts) {
    answer.decided = answer.sensitive = true;
  }
}

void add_time(const Judged& judged, double gate_ratio, CaseAnswer& answer) {
  answer.no_more = judged.counted && judged.counted->answer == reports::CountAnswer::no_more;
  switch (judged.decision.verdict) {
    case Verdict::regressed:
    case Verdict::layout:
    case Verdict::improved:
    case Verdict::equivalent:
    case Verdict::unchanged:
      if (!judged.may_reach_gate) answer.decided = answer.sensitive = true;
      return;
    case Verdict::suspected:  // seen at its size, which may be many times the gate
    case Verdict::inconclusive: {
      const auto& detectable = judged.decision.smallest_detectable;
      answer.sensitive = answer.sensitive || (judged.decision.p && detectable && *detectable <= gate_ratio);
      return;
    }
    default:
      return;
  }
}

bool was_not_compared(Verdict verdict) {
  return verdict == Verdict::failed || verdict == Verdict::wrong || verdict == Verdict::missing ||
         verdict == Verdict::not_comparable;
}

// A run alone has an after side only: nothing of it is compared. What needs no statistics and passes by itself is not, either.
bool is_compared(const Judged& judged, bool counts_only) {
  const Verdict verdict = judged.decision.verdict;
  // People have decided what is waived, but for a confirmed change, which is an answer.
  if (judged.waived && (was_not_compared(verdict) || verdict == Verdict::suspected || is_lost_count(judged)))
    return false;
  if (was_not_compared(verdict)) return true;
  if (verdict == Verdict::new_case || verdict == Verdict::skipped || verdict == Verdict::claim_broken) return false;
  if (decided_by_count(judged)) return true;
  if (judged.metric.kind == record::MetricKind::exact) {
    return counts_only ? !judged.count_alone
                       : is_lost_count(judged) || (verdict == Verdict::inconclusive && !judged.count_alone);
  }
  return (judged.metric.primary || judged_beside_primary(judged)) &&
         (judged.before != nullptr || judged.after == nullptr);
}

}  // namespace

bool judged_beside_primary(const Judged& judged) {
  return judged.metric.judged && !judged.metric.primary;
}

std::int64_t cases_judged(const std::vector<Judged>& cases, bool counts_only) {
  std::vector<std::string_view> names;
  for (const Judged& judged : cases) {
    if (is_judged(judged.decision, counts_only)) names.push_back(judged.case_name());
  }
  std::sort(names.begin(), names.end());
  return std::unique(names.begin(), names.end()) - names.begin();
}

reports::Decided count_decided(const std::vector<Judged>& cases, const std::vector<std::string>& uncounted,
                               bool counts_only, double gate_ratio) {
  std::unordered_map<std::string_view, CaseAnswer> answers;
  answers.reserve(cases.size());
  for (const std::string& name : uncounted) answers[name];
  for (const Judged& judged : cases) {
    if (!is_compared(judged, counts_only)) continue;
    CaseAnswer& answer = answers[judged.case_name()];
    if (was_not_compared(judged.decision.verdict)) {
      answer.open = true;
    } else if (decided_by_count(judged)) {
      answer.decided = answer.sensitive = true;
    } else if (judged.metric.kind == record::MetricKind::exact) {
      add_count(judged, counts_only, answer);
    } else if (judged_beside_primary(judged)) {
      // What a case declares has to be decided, too.
      answer.open = answer.open || judged.may_reach_gate || is_undecided(judged.decision.verdict);
    } else {
      add_time(judged, gate_ratio, answer);
    }
  }
  reports::Decided decided;
  for (const auto& [name, answer] : answers) {
    ++decided.cases;
    decided.decided += answer.decided && !answer.open ? 1 : 0;
    decided.sensitive += answer.sensitive ? 1 : 0;
    decided.no_more_instructions += answer.no_more && (!answer.decided || answer.open) ? 1 : 0;
  }
  return decided;
}

}  // namespace torchgate::gate
