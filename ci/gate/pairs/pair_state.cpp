// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_state.hpp"

#include <utility>

#include "ci/gate/evidence/losses.hpp"
#include "harness/base/first_line.hpp"
#include "harness/record/process.hpp"
#include "reports/facts/about_pairs.hpp"

namespace torchgate::gate {
namespace {

using record::ProcessStatus;
using reports::Verdict;

// A suite may say a page.
facts::Fact first_line_of(const facts::Fact& message) {
  return message.is(facts::said) ? facts::said(std::string(base::first_line(message.words()))) : message;
}

PairState state(Verdict verdict, std::size_t count, std::int64_t processes, const facts::Fact& message) {
  return {verdict, facts::in_pairs_processes(count, processes, first_line_of(message))};
}

}  // namespace

PairStates::PairStates(const record::Run& pairs) {
  for (const record::Process& process : pairs.processes) {
    if (process.status == ProcessStatus::not_started) continue;
    const auto side = static_cast<std::size_t>(process.side);
    Losses& losses = process.group.empty() ? unlisted_.at(side) : of_group_[process.group].at(side);
    ++losses.started;
    if (process.status == ProcessStatus::ok) continue;
    if (losses.count++ == 0) losses.first = process.message;
  }
}

std::optional<PairState> PairStates::of(const CaseEvidence& before, const CaseEvidence& after) const {
  const std::int64_t started = after.processes - static_cast<std::int64_t>(after.lost.not_started());
  if (!after.wrongs.empty()) return state(Verdict::wrong, after.wrongs.size(), started, after.wrongs.front());
  if (!after.failures.empty()) return state(Verdict::failed, after.failures.size(), started, after.failures.front());
  if (after.processes == 0 && before.processes > 0 && unlisted_[1].count > 0)
    return PairState{Verdict::failed, facts::in_the_pairs(first_line_of(unlisted_[1].first))};
  const auto losses = of_group_.find(after.definition->group);
  if (losses == of_group_.end()) return std::nullopt;
  const auto& [lost_before, lost_after] = losses->second;
  const bool never_measured = after.measured.empty() && !before.measured.empty();
  const bool lost_more =
      loss_change({lost_before.count, lost_before.started}, {lost_after.count, lost_after.started}) == LossChange::more;
  if (lost_after.count == 0 || !(never_measured || lost_more)) return std::nullopt;
  return state(Verdict::failed, static_cast<std::size_t>(lost_after.count), lost_after.started, lost_after.first);
}

Judged judged_pair_state(const record::Case& definition, record::Metric metric, const PairState& state) {
  Judged judged;
  judged.definition = &definition;
  judged.metric = std::move(metric);
  if (judged.metric.primary) judged.decision.verdict = state.verdict;
  add_reason(judged, ReasonKind::state, state.reason);
  return judged;
}

}  // namespace torchgate::gate
