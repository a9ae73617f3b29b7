// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/ab_libtorch.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/judge.hpp"
#include "ci/workflow/workspace/build_folder.hpp"
#include "ci/workflow/workspace/spent_waivers.hpp"

namespace torchgate::cli {
namespace {

// Programs that do not record the LibTorch they load, such as those of Google Benchmark alone.
bool records_libtorch(const record::Run& run) {
  return std::any_of(run.machine.facts.begin(), run.machine.facts.end(), [](const record::MachineFact& fact) {
    return fact.name.starts_with("libtorch_version") && fact.value;
  });
}

void add_versions(const record::Plan& plan, reports::Report& report) {
  if (plan.libtorch_versions.size() != 2 || !report.upgrade || report.upgrade->before) return;
  report.upgrade->before = plan.libtorch_versions.front();
  report.upgrade->after = plan.libtorch_versions.back();
}

}  // namespace

base::Result<Varied> varied_of(const std::vector<std::string>& vary, bool builds_named,
                               const record::Machine& machine) {
  constexpr std::string_view with_value = "libtorch=";
  Varied varied;
  std::vector<std::string> libtorch;
  for (const std::string& one : vary) {
    const bool has_value = one.starts_with(with_value);
    if (has_value) libtorch.push_back(one.substr(with_value.size()));
    varied.facts.push_back(has_value ? "libtorch" : one);
  }
  if (const auto known = gate::check_vary(varied.facts, machine); !known) return known.error();
  if (libtorch.empty()) return varied;
  if (builds_named)
    return base::Error{base::ErrorCode::bad_input,
                       "--vary libtorch=... makes both builds; remove --before and --after, or keep them and write "
                       "--vary libtorch"};
  auto roots = workflow::libtorch_sides(libtorch, workflow::libtorch_places());
  if (!roots) return roots.error();
  varied.roots = *std::move(roots);
  return varied;
}

void record_varied(const Varied& varied, bool resumed, record::Plan& plan) {
  if (varied.roots && plan.varied.empty()) {
    plan.informs = true;
    const auto& [before, after] = *varied.roots;
    // The sides of resumed pairs may have been built with others.
    if (!resumed && before.version && after.version) plan.libtorch_versions = {*before.version, *after.version};
  }
  for (const std::string& name : varied.facts)
    if (std::find(plan.varied.begin(), plan.varied.end(), name) == plan.varied.end()) plan.varied.push_back(name);
}

bool goes_with_its_work_tree(const record::Run& pairs) {
  return std::any_of(pairs.objects.begin(), pairs.objects.end(), [](const record::LoadedObject& object) {
    return object.executable && workflow::is_in_work_tree(object.path);
  });
}

base::Result<reports::Report> report_as_planned(const record::Run& pairs, const std::vector<std::string>& vary,
                                                const policy::Policy& policy) {
  policy::Policy planned = workflow::with_spent_waivers(policy, {&pairs}, pairs);
  planned.vary = pairs.plan.varied;
  planned.vary.insert(planned.vary.end(), vary.begin(), vary.end());
  planned.informs = pairs.plan.informs;
  planned.of_gate = false;
  auto report = gate::judge_paired(pairs, planned);
  if (report && !records_libtorch(pairs)) add_versions(pairs.plan, *report);
  if (report && goes_with_its_work_tree(pairs)) {
    for (reports::Doubt& doubt : report->doubts)
      if (doubt.kind == reports::DoubtKind::incomplete)
        doubt.fix = "measure them again with the same command, since the builds of their commits were removed";
  }
  return report;
}

}  // namespace torchgate::cli
