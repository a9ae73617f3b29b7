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

// The fewest values that a process has of the primary metric; absent where none has any. A median or mean of a file is one value of an unknown number
// of repetitions.
std::optional<std::int64_t> fewest_repetitions(const CaseEvidence& evidence) {
  const record::Metric* const metric = primary_metric(*evidence.definition);
  std::optional<std::int64_t> fewest;
  if (metric == nullptr) return fewest;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const found = measurement_of(*one.result, metric->name);
    if (found == nullptr || !found->summary || one.result->only_summary) continue;
    fewest = std::min(fewest.value_or(found->summary->n), found->summary->n);
  }
  return fewest;
}

// It starts as many worker processes as it is asked to.
bool repeats_in_processes(const record::Case& definition) {
  return definition.suite == "pyperf";
}

std::int64_t processes_of(const CaseEvidence& evidence) {
  return static_cast<std::int64_t>(evidence.measured.size());
}

}  // namespace

void FewerRepetitions::Odd::add(std::string_view name, const Counts& counts) {
  if (cases++ > 0) return;
  first = name;
  of_first = counts;
}

void FewerRepetitions::compare_processes(std::string_view name, const Counts& counts) {
  if (counts.before == 0 || counts.after == 0) return;
  if (2 * counts.after <= counts.before)
    lost_after_.add(name, counts);
  else if (2 * counts.before <= counts.after)
    lost_before_.add(name, counts);
  else
    ++whole_;
}

FewerRepetitions::FewerRepetitions(const SideEvidence& before, const SideEvidence& after) {
  if (!record::is_imported(before.run()) || !record::is_imported(after.run())) return;
  std::size_t as_many = 0;
  std::size_t equal = 0;
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* const was = before.find(name);
    if (was == nullptr) continue;
    if (repeats_in_processes(*evidence.definition))
      compare_processes(name, {processes_of(*was), processes_of(evidence)});
    if (!repeats_as_asked(*evidence.definition)) continue;
    const auto counted_before = fewest_repetitions(*was);
    const auto counted_after = fewest_repetitions(evidence);
    if (!counted_before || !counted_after) continue;
    if (*counted_after >= *counted_before) {
      if (*counted_after > *counted_before)
        fewer_before_.add(name, Counts{*counted_before, *counted_after});
      else
        ++equal;
      ++as_many;
      continue;
    }
    if (fewer_.empty()) first_ = name;
    fewer_.emplace(name, Counts{*counted_before, *counted_after});
  }
  cut_off_ = as_many > 0 && fewer_.size() <= after.run().processes.size();
  // A file ends with one case: where more of them have fewer, or all have, more were asked for.
  if (equal == 0 || fewer_before_.cases > before.run().processes.size()) fewer_before_ = {};
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

facts::Facts FewerRepetitions::remarks() const {
  facts::Facts remarks;
  if (!fewer_.empty()) {
    const Counts& of_first = fewer_.at(first_);
    const auto& sentence = cut_off_ ? facts::cut_off : facts::cases_with_fewer;
    remarks.push_back(sentence(fewer_.size(), first_, of_first.after, of_first.before));
  }
  if (fewer_before_.cases > 0) {
    const Counts& of_first = fewer_before_.of_first;
    remarks.push_back(facts::cut_off_before(fewer_before_.cases, fewer_before_.first, of_first.before, of_first.after));
  }
  if (whole_ == 0) return remarks;  // fewer were asked for
  if (lost_after_.cases > 0) {
    const Counts& of_first = lost_after_.of_first;
    remarks.push_back(
        facts::lost_most_processes("this run", lost_after_.cases, lost_after_.first, of_first.after, of_first.before));
  }
  if (lost_before_.cases > 0) {
    const Counts& of_first = lost_before_.of_first;
    remarks.push_back(facts::lost_most_processes("baseline", lost_before_.cases, lost_before_.first, of_first.before,
                                                 of_first.after));
  }
  return remarks;
}

}  // namespace torchgate::gate
