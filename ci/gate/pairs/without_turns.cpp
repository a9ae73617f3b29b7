// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/without_turns.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "reports/facts/about_pairs.hpp"

namespace torchgate::gate {
namespace {

// What its pairs say of its time; nullptr: they say nothing.
const stats::RuleAnswer* pairs_of_time(const Judged& judged) {
  const bool of_time = judged.metric.primary && judged.metric.kind == record::MetricKind::timed;
  return of_time && judged.pairs != nullptr && judged.pairs->pairs > 0 ? judged.pairs.get() : nullptr;
}

}  // namespace

void mention_without_turns(const std::vector<Judged>& cases, Remarks& remarks) {
  std::set<std::string_view> suites;  // with a case that took turns
  for (const Judged& judged : cases) {
    const stats::RuleAnswer* const pairs = pairs_of_time(judged);
    if (pairs != nullptr && pairs->measure) suites.insert(judged.definition->suite);
  }
  const auto without = std::count_if(cases.begin(), cases.end(), [&](const Judged& judged) {
    const stats::RuleAnswer* const pairs = pairs_of_time(judged);
    return pairs != nullptr && !pairs->measure &&
           (judged.definition->device == "cuda" || suites.contains(judged.definition->suite));
  });
  if (without > 0) remarks.notes.push_back(facts::without_turns(without));
}

}  // namespace torchgate::gate
