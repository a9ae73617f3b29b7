// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/advise.hpp"

#include <algorithm>
#include <utility>

#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

reports::AdviceRow row_of(const Practice& practice, const RunFacts& run) {
  reports::AdviceRow row;
  row.id = practice.id;
  row.category = practice.category;
  row.practice = practice.practice;
  row.fix = practice.fix;
  row.shown_by = practice.shown_by;
  row.saves_of = practice.saves_of;
  for (const CaseFacts& facts : run.cases) {
    auto answer = practice.ask(facts, run);
    if (!answer) continue;
    ++row.applicable;
    if (answer->followed) continue;
    // Self times of several threads may add up to more than a call.
    if (answer->saves) row.saves = std::max(row.saves.value_or(0), std::clamp(*answer->saves, 0.0, 1.0));
    row.evidence.push_back({facts.definition->name, std::move(answer->text), answer->size});
  }
  std::stable_sort(row.evidence.begin(), row.evidence.end(),
                   [](const auto& a, const auto& b) { return a.size > b.size; });
  if (row.applicable == 0) {
    row.missing = practice.missing;
  } else {
    row.answer = row.evidence.empty() ? reports::AdviceAnswer::followed : reports::AdviceAnswer::not_followed;
  }
  return row;
}

bool saves_more(const reports::AdviceRow& a, const reports::AdviceRow& b) {
  const bool a_is_open = a.answer == reports::AdviceAnswer::not_followed;
  const bool b_is_open = b.answer == reports::AdviceAnswer::not_followed;
  if (!a_is_open || !b_is_open) return a_is_open && !b_is_open;
  return a.saves.value_or(0) > b.saves.value_or(0);
}

}  // namespace

reports::ModelAdvice advise(const record::Run& run) {
  const RunFacts facts = facts_of(run);
  reports::ModelAdvice advice;
  advice.run = run.id;
  advice.created = run.created;
  if (!run.sides.empty()) {
    advice.commit = run.sides.back().source.commit;
    advice.modified = run.sides.back().source.modified.value_or(false);
  }
  advice.cases = static_cast<std::int64_t>(facts.cases.size());
  advice.cases_without_result = facts.without_result;
  advice.complete = facts.complete;
  for (const auto practices : {memory_practices(), gpu_practices(), product_practices(), fusion_practices(),
                               structure_practices(), data_practices()}) {
    for (const Practice& practice : practices) advice.rows.push_back(row_of(practice, facts));
  }
  std::stable_sort(advice.rows.begin(), advice.rows.end(), saves_more);
  return advice;
}

}  // namespace torchgate::advise
