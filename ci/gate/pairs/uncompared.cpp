// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/uncompared.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "reports/facts/about_pairs.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

bool is_state_without_pairs(Verdict verdict) {
  return verdict == Verdict::new_case || verdict == Verdict::skipped || verdict == Verdict::missing ||
         verdict == Verdict::not_comparable;
}

/// No pair has numbers of both sides, or so few do that none could have shown a regression.
bool has_no_answer(const Judged& judged) {
  if (judged.decision.verdict != Verdict::inconclusive || has_reason(judged, ReasonKind::spent_budget)) return false;
  return judged.pairs != nullptr && (judged.pairs->pairs == 0 || has_reason(judged, ReasonKind::too_few_pairs));
}

facts::Fact why_uncompared(const Judged* judged, const CaseEvidence* before, const facts::Fact& missing_shard = {}) {
  if (!missing_shard.empty()) return facts::not_compared_in_pairs(missing_shard);
  if (auto failure = before == nullptr ? std::nullopt : failure_of(*before))
    return facts::before_side_failed(*std::move(failure));
  if (judged == nullptr || judged->reasons.empty()) return facts::in_no_pair;
  return facts::not_compared_in_pairs(judged->reasons.front().fact);
}

}  // namespace

facts::Fact leave_uncompared_open(std::vector<Judged>& judged, const std::vector<const record::Case*>& asked,
                                  const SideEvidence& before) {
  std::map<std::string_view, std::size_t> primary;  // the place of each case's finding on its primary metric
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (judged[i].metric.primary) primary.emplace(judged[i].case_name(), i);
  }
  std::size_t uncompared = 0;
  for (const record::Case* definition : asked) {
    const auto place = primary.find(definition->name);
    const CaseEvidence* evidence = before.find(definition->name);
    if (place == primary.end()) {
      const facts::Fact missing = missing_shard_of(before.run().plan, definition->group);
      judged.push_back(judged_state(*definition, Verdict::inconclusive, why_uncompared(nullptr, evidence, missing)));
      ++uncompared;
      continue;
    }
    Judged& found = judged[place->second];
    if (is_state_without_pairs(found.decision.verdict)) {
      replace_decision(found, Verdict::inconclusive, ReasonKind::state, why_uncompared(&found, evidence));
      ++uncompared;
    } else if (has_no_answer(found)) {
      ++uncompared;
    }
  }
  return uncompared == 0 ? facts::Fact() : facts::incomplete_pairs(uncompared, asked.size());
}

void leave_unrecorded_open(std::vector<Judged>& judged, const record::Run& pairs) {
  if (pairs.interrupted || pairs.plan.budget_s || pairs.plan.budget_pairs) return;
  std::set<std::string_view> started;
  for (const record::Process& process : pairs.processes) started.insert(process.group);
  const PlannedGroups planned(pairs.plan);
  for (Judged& each : judged) {
    const std::string& group = each.definition->group;
    if (each.decision.verdict != Verdict::skipped || each.definition->skipped || started.contains(group) ||
        !planned.has(group))
      continue;
    replace_decision(each, Verdict::inconclusive, ReasonKind::state, facts::no_process_recorded);
  }
}

void mention_failed_before(const std::vector<Judged>& judged, const SideEvidence& before, Remarks& remarks) {
  facts::Facts failed;
  for (const Judged& each : judged) {
    const CaseEvidence* evidence = before.find(each.case_name());
    if (each.decision.verdict != Verdict::not_comparable || evidence == nullptr || !evidence->measured.empty())
      continue;
    if (auto failure = failure_of(*evidence))
      failed.push_back(facts::case_and_failure(each.case_name(), *std::move(failure)));
  }
  if (!failed.empty()) remarks.notes.push_back(facts::failed_before(std::move(failed)));
}

}  // namespace torchgate::gate
