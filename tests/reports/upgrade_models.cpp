// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/upgrade_models.hpp"

#include "tests/reports/model_parts.hpp"

namespace torchgate::reports::models {

Report libtorch_upgrade() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.informs = true;
  report.paired = true;
  report.headline = "1 regression (not gated) in 4 cases, all decided";
  report.before.label = "before";
  report.after.label = "after";
  report.notes = {"varied on purpose: libtorch_version", "varied on purpose: libtorch_build"};
  report.findings.push_back(
      timed("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::regressed, GateAction::warn, 12.31e6, 0.127));
  report.findings.push_back(
      timed("attention/sdpa/flash/device:cpu/seq:512", Verdict::improved, GateAction::pass, 3.4e6, -0.2));
  report.findings.push_back(
      exact("fusion/gelu/fused/device:cpu", operator_calls, Verdict::changed, GateAction::note, 4, 3));
  add_quiet_cases(report, 2);
  report.cases_judged += 2;
  Upgrade upgrade;
  upgrade.before = "2.11.0";
  upgrade.after = "2.15.0";
  upgrade.build = {{"libtorch_build: C++ Version", "201703", "202002", false},
                   {"libtorch_build: USE_XNNPACK", "ON", "(absent)", false}};
  upgrade.suites = {{"attention", 0, 1, 0, 0, 0, -0.2, 0, 0}, {"fusion", 1, 0, 2, 0, 0, 0.0406, 1, 1}};
  upgrade.all = {"", 1, 1, 2, 0, 0, -0.0256, 1, 1};
  upgrade.profiled = 4;
  upgrade.operators = {{"aten::_convolution", 2, 1, 0, 0, 2, 2, 0.118},
                       {"aten::copy_", 3, 0, 0, 2, 7, 5, std::nullopt}};
  upgrade.operators_unchanged = 11;
  upgrade.checked = 3;
  upgrade.not_repeatable = 1;
  upgrade.outputs = {{"fusion/conv_bn/folded/device:cpu/batch:8", "fusion/conv_bn/eager/device:cpu/batch:8",
                      UpgradeDeviation{1.2e-6, 2.1e-7}, UpgradeDeviation{9.5e-7, 1.9e-7}, false, false}};
  report.upgrade = std::move(upgrade);
  return report;
}

Report upgrade_without_records() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.headline = "no regression in 1 case";
  report.paired = true;
  report.findings.push_back(equivalent("BM_Parse/8", 1e6, 0.002));
  Upgrade upgrade;
  upgrade.suites = {{"BM", 0, 0, 1, 0, 0, 0.002, 0, 0}};
  upgrade.all = {"", 0, 0, 1, 0, 0, 0.002, 0, 0};
  report.upgrade = std::move(upgrade);
  return report;
}

Matrix two_versions() {
  Report old_version = base();
  old_version.outcome = Outcome::pass;
  old_version.headline = "no regression in 4 cases";
  old_version.differences = {{"libtorch_version", "2.11.0", "2.13.0", false}};
  old_version.findings = {timed("fusion/gelu/fused/device:cpu", Verdict::improved, GateAction::pass, 2.2e6, -0.031),
                          equivalent("fusion/conv_bn/eager/device:cpu/batch:8", 16.2e6, -0.003),
                          timed("dataloader/disk/workers:4", Verdict::inconclusive, GateAction::note, 4e6, 0.02, 0.09),
                          without_numbers("compile/packages", Verdict::missing, GateAction::note, "Not in this run")};
  Report new_version = old_version;
  new_version.outcome = Outcome::fail;
  new_version.headline = "fusion/conv_bn/eager/device:cpu/batch:8: regressed (+12.7 %)";
  new_version.doubts = {{"two separate runs: the machine may have changed between them", DoubtKind::separate_runs}};
  old_version.doubts = new_version.doubts;
  new_version.differences = {{"libtorch_version", "2.11.0", "2.15.0", false}};
  new_version.findings = {
      timed("fusion/conv_bn/eager/device:cpu/batch:8", Verdict::regressed, GateAction::fail, 16.2e6, 0.127),
      equivalent("fusion/gelu/fused/device:cpu", 2.2e6, -0.002),
      timed("dataloader/disk/workers:4", Verdict::inconclusive, GateAction::note, 4e6, 0.01, 0.09)};
  return matrix_of("v2.11", {{"v2.13", old_version}, {"v2.15", new_version}});
}

}  // namespace torchgate::reports::models
