// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/fewer_repetitions.hpp"

#include <algorithm>

#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

// Of --benchmark_repetitions and -count. Others measure until they know enough, or take a number of samples of their own.
bool repeats_as_asked(const record::Case& definition) {
  return definition.suite == "google-benchmark" || definition.suite == "go";
}

// The fewest values that a process has of the primary metric; absent where none has any.
std::optional<std::int64_t> fewest_repetitions(const CaseEvidence& evidence) {
  const record::Metric* const metric = primary_metric(*evidence.definition);
  std::optional<std::int64_t> fewest;
  if (metric == nullptr) return fewest;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const found = measurement_of(*one.result, metric->name);
    if (found == nullptr || !found->summary) continue;
    fewest = std::min(fewest.value_or(found->summary->n), found->summary->n);
  }
  return fewest;
}

}  // namespace

FewerRepetitions::FewerRepetitions(const SideEvidence& before, const SideEvidence& after) {
  if (!record::is_imported(before.run()) || !record::is_imported(after.run())) return;
  std::size_t as_many = 0;
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* const was = before.find(name);
    if (was == nullptr || !repeats_as_asked(*evidence.definition)) continue;
    const auto counted_before = fewest_repetitions(*was);
    const auto counted_after = fewest_repetitions(evidence);
    if (!counted_before || !counted_after) continue;
    if (*counted_after >= *counted_before) {
      ++as_many;
      continue;
    }
    if (fewer_.empty()) first_ = name;
    fewer_.emplace(name, Counts{*counted_before, *counted_after});
  }
  cut_off_ = as_many > 0 && fewer_.size() <= after.run().processes.size();
}

std::optional<Judged> FewerRepetitions::state(const CaseEvidence& after) const {
  if (!cut_off_) return std::nullopt;
  const auto found = fewer_.find(after.definition->name);
  if (found == fewer_.end()) return std::nullopt;
  Judged judged = judged_state(*after.definition, reports::Verdict::not_comparable,
                               facts::fewer_repetitions(found->second.after, found->second.before));
  judged.action_rule = ActionRule::no_numbers_before;
  return judged;
}

facts::Fact FewerRepetitions::remark() const {
  if (fewer_.empty()) return {};
  const Counts& of_first = fewer_.at(first_);
  const auto& sentence = cut_off_ ? facts::cut_off : facts::cases_with_fewer;
  return sentence(fewer_.size(), first_, of_first.after, of_first.before);
}

}  // namespace torchgate::gate
