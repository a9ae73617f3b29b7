// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/ab_libtorch.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/vary.hpp"

namespace torchgate::cli {

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

void add_versions(const record::Plan& plan, reports::Report& report) {
  if (plan.libtorch_versions.size() != 2 || !report.upgrade || report.upgrade->before) return;
  report.upgrade->before = plan.libtorch_versions.front();
  report.upgrade->after = plan.libtorch_versions.back();
}

}  // namespace torchgate::cli
