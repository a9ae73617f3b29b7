// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/unchanged_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/counted.hpp"
#include "harness/record/group_content.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

base::Error not_proved(const record::UnchangedGroup& group, const record::Run& baseline, const std::string& why) {
  return {base::ErrorCode::bad_input,
          fmt::format("not measured, as unchanged since run {}, but not the same as in run {}: {}; measure it without "
                      "--skip-unchanged",
                      group.since, baseline.id, why)};
}

std::string identical(const record::GroupContent& content, const record::Run& baseline) {
  return fmt::format("executable, {} and {} are byte-identical to those of run {}",
                     base::counted(content.libraries(), "library", "libraries"),
                     base::counted(content.files_on_disk(), "file", "files"), baseline.id);
}

base::Result<std::string> compare_content(const record::UnchangedGroup& group, const record::Run& baseline,
                                          const record::Run& current) {
  const auto before = record::content_of(baseline, group.group);
  if (!before) return not_proved(group, baseline, before.error().message);
  const auto now = record::content_of(current, group);
  if (!now) return not_proved(group, baseline, now.error().message);
  std::string differs = record::difference(*before, *now);
  if (differs.empty()) differs = record::machine_difference(baseline.machine, current.machine);
  if (!differs.empty()) return not_proved(group, baseline, differs);
  return identical(*now, baseline);
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

UnchangedGroups::UnchangedGroups(const record::Run& baseline, const record::Run& current) {
  for (const record::UnchangedGroup& group : current.unchanged)
    groups_.emplace(group.group, compare_content(group, baseline, current));
}

std::optional<Judged> UnchangedGroups::state(const CaseEvidence* before, const CaseEvidence& after) const {
  const record::Case& definition = *after.definition;
  const auto group = groups_.find(definition.group);
  if (group == groups_.end() || after.processes > 0 || definition.skipped) return std::nullopt;
  if (!group->second) return judged_state(definition, Verdict::missing, group->second.error().message);
  if (before == nullptr || before->measured.empty() || !same_definition(*before->definition, definition))
    return judged_state(definition, Verdict::missing,
                        "not measured, as unchanged, but the baseline has no numbers of this case; measure it without "
                        "--skip-unchanged");
  return judged_state(definition, Verdict::unchanged, *group->second);
}

std::map<std::string, std::string, std::less<>> same_groups(const record::Run& baseline, const record::Run& current) {
  std::map<std::string, std::string, std::less<>> same;
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

std::string not_measured_because_unchanged(const record::Run& run, std::string_view group) {
  const auto found = std::find_if(run.unchanged.begin(), run.unchanged.end(),
                                  [&](const record::UnchangedGroup& each) { return each.group == group; });
  if (found == run.unchanged.end()) return "";
  return fmt::format("not measured: its group is unchanged since run {}", found->since);
}

bool measured_nothing(const record::Run& run) {
  return run.processes.empty() && !run.unchanged.empty();
}

std::string unchanged_sentence(std::int64_t unchanged, std::int64_t cases) {
  if (unchanged == 0) return "";
  return fmt::format("{} of {} unchanged: nothing was measured for {}", unchanged,
                     base::counted(cases, "case", "cases"), unchanged == 1 ? "it" : "them");
}

}  // namespace torchgate::gate
