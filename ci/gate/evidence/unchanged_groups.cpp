// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/unchanged_groups.hpp"

#include <algorithm>

#include "harness/record/group_content.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

facts::Fact identical(const record::GroupContent& content, const record::Run& baseline) {
  return facts::identical_to_run(content.libraries(), content.files_on_disk(), baseline.id);
}

// Of the processes of a group: what was set for them; nullptr: none ran.
const std::vector<record::Parameter>* environment_of(const record::Run& run, std::string_view group) {
  const auto one = std::find_if(run.processes.begin(), run.processes.end(),
                                [&](const record::Process& process) { return process.group == group; });
  return one == run.processes.end() ? nullptr : &one->environment;
}

bool same_definition(const record::Case& a, const record::Case& b) {
  return a.protocol == b.protocol && a.input_seed == b.input_seed && a.parameters == b.parameters &&
         a.device == b.device;
}

}  // namespace

UnchangedGroups::Proof UnchangedGroups::compare_content(const record::UnchangedGroup& group,
                                                        const record::Run& baseline, const record::Run& current) {
  const auto not_proved = [&](const std::string& why) {
    return Proof{false, facts::not_proved_unchanged(group.since, baseline.id, why)};
  };
  const auto before = record::content_of(baseline, group.group);
  if (!before) return not_proved(before.error().message);
  const auto now = record::content_of(current, group);
  if (!now) return not_proved(now.error().message);
  std::string differs = record::difference(*before, *now);
  if (differs.empty()) differs = record::machine_difference(baseline.machine, current.machine);
  return differs.empty() ? Proof{true, identical(*now, baseline)} : not_proved(differs);
}

UnchangedGroups::UnchangedGroups(const record::Run& baseline, const record::Run& current) {
  for (const record::UnchangedGroup& group : current.unchanged)
    groups_.emplace(group.group, compare_content(group, baseline, current));
}

std::optional<Judged> UnchangedGroups::state(const CaseEvidence* before, const CaseEvidence& after) const {
  const record::Case& definition = *after.definition;
  const auto group = groups_.find(definition.group);
  if (group == groups_.end() || after.processes > 0 || definition.skipped) return std::nullopt;
  if (!group->second.unchanged) return judged_state(definition, Verdict::missing, group->second.because);
  if (before == nullptr || before->measured.empty() || !same_definition(*before->definition, definition))
    return judged_state(definition, Verdict::missing, facts::unchanged_without_numbers);
  return judged_state(definition, Verdict::unchanged, group->second.because);
}

SameGroups same_groups(const record::Run& baseline, const record::Run& current) {
  SameGroups same;
  if (!record::machine_difference(baseline.machine, current.machine).empty()) return same;
  for (const record::Group& group : current.groups) {
    const auto* before_environment = environment_of(baseline, group.name);
    const auto* environment = environment_of(current, group.name);
    if (before_environment == nullptr || environment == nullptr || *before_environment != *environment) continue;
    const auto before = record::content_of(baseline, group.name);
    if (!before) continue;
    const auto now = record::content_of(current, group.name);
    if (now && record::difference(*before, *now).empty()) same.emplace(group.name, identical(*now, baseline));
  }
  return same;
}

facts::Fact not_measured_because_unchanged(const record::Run& run, std::string_view group) {
  const auto found = std::find_if(run.unchanged.begin(), run.unchanged.end(),
                                  [&](const record::UnchangedGroup& each) { return each.group == group; });
  return found == run.unchanged.end() ? facts::Fact() : facts::group_unchanged(found->since);
}

bool measured_nothing(const record::Run& run) {
  return run.processes.empty() && !run.unchanged.empty();
}

}  // namespace torchgate::gate
