// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/upgrade/upgrade_report.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/upgrade/upgrade_operators.hpp"
#include "ci/gate/upgrade/upgrade_outputs.hpp"
#include "reports/case_group.hpp"

namespace torchgate::gate {
namespace {

// The version has a place of its own.
void take_versions(reports::Upgrade& upgrade) {
  const auto version = std::find_if(upgrade.build.begin(), upgrade.build.end(),
                                    [](const auto& difference) { return difference.name == "libtorch_version"; });
  if (version == upgrade.build.end()) return;
  upgrade.before = version->before;
  upgrade.after = version->after;
  upgrade.build.erase(version);
}

std::set<std::string_view> cases_with_other_counts(const reports::Report& report) {
  std::set<std::string_view> cases;
  for (const reports::Finding& finding : report.findings)
    if (finding.metric.kind == record::MetricKind::exact && finding.verdict == reports::Verdict::changed)
      cases.insert(finding.case_name);
  return cases;
}

// One finding for each case: that of its primary metric, or the one that says why there is none.
std::map<std::string_view, const reports::Finding*> primary_findings(const reports::Report& report) {
  std::map<std::string_view, const reports::Finding*> primary;
  for (const reports::Finding& finding : report.findings) {
    const bool without_metric = finding.metric.name.empty();
    if (without_metric || (finding.metric.primary && finding.metric.kind == record::MetricKind::timed))
      primary.emplace(finding.case_name, &finding);
  }
  return primary;
}

void group_by_suite(const reports::Report& report, const std::map<std::string_view, const record::Case*>& definitions,
                    reports::Upgrade& upgrade) {
  const std::set<std::string_view> other_counts = cases_with_other_counts(report);
  std::set<std::string_view> other_outputs;
  for (const reports::UpgradeOutput& output : upgrade.outputs) other_outputs.insert(output.case_name);
  std::map<std::string, std::vector<const reports::Finding*>> suites;
  std::vector<const reports::Finding*> all;
  for (const auto& [name, finding] : primary_findings(report)) {
    const auto definition = definitions.find(name);
    if (definition == definitions.end()) continue;
    suites[definition->second->suite].push_back(finding);
    all.push_back(finding);
  }
  const auto with_counts = [&](std::string name, const std::vector<const reports::Finding*>& findings) {
    reports::CaseGroup group = reports::group_of(std::move(name), findings);
    for (const reports::Finding* finding : findings) {
      group.counts_changed += other_counts.contains(finding->case_name) ? 1 : 0;
      group.outputs_changed += other_outputs.contains(finding->case_name) ? 1 : 0;
    }
    return group;
  };
  for (const auto& [suite, findings] : suites) upgrade.suites.push_back(with_counts(suite, findings));
  upgrade.all = with_counts("", all);
}

}  // namespace

void fill_upgrade(const SideEvidence& before, const SideEvidence& after, bool other_libtorch, reports::Report& report) {
  if (!report.upgrade) return;
  reports::Upgrade& upgrade = *report.upgrade;
  take_versions(upgrade);
  add_output_changes(before, after, upgrade);
  add_operators(before, after, upgrade);
  group_by_suite(report, cases_of(before, after), upgrade);
  if (!other_libtorch && !upgrade.before)
    report.doubts.emplace_back(
        "no difference of LibTorch was recorded between the sides: what differs here may not be caused by LibTorch; "
        "check which libraries the programs load");
}

}  // namespace torchgate::gate
