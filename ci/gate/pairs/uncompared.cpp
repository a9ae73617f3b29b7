// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/uncompared.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/case_state.hpp"
#include "harness/base/counted.hpp"

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

std::string why_uncompared(const Judged* judged, const CaseEvidence* before) {
  const std::string failure = before == nullptr ? "" : failure_sentence(*before);
  if (!failure.empty()) return "not compared in pairs: the before side " + failure;
  if (judged == nullptr || judged->reasons.empty())
    return "not compared in pairs: no pair has it; give the pairs more time (--budget)";
  return "not compared in pairs: " + judged->reasons.front().text;
}

}  // namespace

std::string leave_uncompared_open(std::vector<Judged>& judged, const std::vector<const record::Case*>& asked,
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
      judged.push_back(judged_state(*definition, Verdict::inconclusive, why_uncompared(nullptr, evidence)));
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
  if (uncompared == 0) return "";
  return fmt::format("INCOMPLETE: {} of {} could not be compared in pairs", uncompared,
                     base::counted(asked.size(), "case", "cases"));
}

void mention_failed_before(const std::vector<Judged>& judged, const SideEvidence& before, Remarks& remarks) {
  constexpr std::size_t most_named = 3;
  std::string named;
  std::size_t failed = 0;
  for (const Judged& each : judged) {
    const CaseEvidence* evidence = before.find(each.case_name());
    if (each.decision.verdict != Verdict::not_comparable || evidence == nullptr) continue;
    const std::string failure = failure_sentence(*evidence);
    if (failure.empty() || !evidence->measured.empty()) continue;
    if (failed++ < most_named) named += fmt::format("{}{} ({})", named.empty() ? "" : ", ", each.case_name(), failure);
  }
  if (failed == 0) return;
  if (failed > most_named) named += fmt::format(" and {} more", failed - most_named);
  remarks.notes.push_back(fmt::format("{} not compared, as the before side has no numbers: {}",
                                      base::counted(failed, "case was", "cases were"), named));
}

}  // namespace torchgate::gate
