// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/drift/machine_drift.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "harness/base/pattern.hpp"
#include "harness/record/cuda_cases.hpp"
#include "reports/facts/about_machine.hpp"
#include "stats/drift.hpp"
#include "stats/run_value.hpp"

namespace torchgate::gate {
namespace {

bool frozen(const std::vector<const record::Run*>& runs, const std::string& group) {
  const auto now = objects_of_group(*runs.back(), group);
  if (now.empty()) return false;
  for (const record::Run* run : runs) {
    if (objects_of_group(*run, group) != now) return false;
  }
  return true;
}

// The run values of one case over all runs; empty when a run lacks it.
stats::RunSeries series(const std::vector<SideEvidence>& sides, const record::Case& definition) {
  stats::RunSeries values;
  const record::Metric* metric = primary_metric(definition);
  if (metric == nullptr) return {};
  for (const SideEvidence& side : sides) {
    const CaseEvidence* evidence = side.find(definition.name);
    if (evidence == nullptr || evidence->definition->protocol != definition.protocol) return {};
    const auto value = stats::run_value(timed_evidence(*evidence, *metric).worse_logs);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

}  // namespace

std::vector<std::string> objects_of_group(const record::Run& run, std::string_view group) {
  std::set<std::string> hashes;
  for (const record::Process& process : run.processes) {
    if (process.group != group || process.status != record::ProcessStatus::ok) continue;
    for (const std::int64_t index : process.objects) {
      const record::LoadedObject& object = run.objects.at(static_cast<std::size_t>(index));
      if (object.system) continue;
      if (object.sha256.empty()) return {};
      hashes.insert(object.sha256);
    }
  }
  return {hashes.begin(), hashes.end()};
}

Drift drift(const std::vector<const record::Run*>& stored, const record::Run& current, const policy::Gate& policy) {
  Drift result;
  if (policy.controls.empty()) return result;
  std::vector<const record::Run*> runs = stored;
  runs.push_back(&current);
  std::vector<SideEvidence> sides;
  sides.reserve(runs.size());
  for (const record::Run* run : runs) sides.emplace_back(*run, 0);
  std::vector<stats::RunSeries> controls;
  std::size_t named = 0;
  std::size_t thawed = 0;
  bool rates = true;
  const auto pattern = base::Pattern::compile_short(policy.controls);
  if (!pattern) return result;  // a policy key takes only what compiles
  const bool other_device = std::any_of(stored.begin(), stored.end(), [&](const record::Run* run) {
    return devices_differ(run->machine, current.machine).has_value();
  });
  for (const record::Case& definition : current.cases) {
    if (!pattern->found_in(definition.name) || (other_device && record::is_cuda(definition))) continue;
    ++named;
    if (!frozen(runs, definition.group)) {
      ++thawed;
      continue;
    }
    auto values = series(sides, definition);
    if (values.empty()) continue;
    controls.push_back(std::move(values));
    const record::Metric* const metric = primary_metric(definition);
    rates = rates && metric != nullptr && metric->direction == record::Direction::higher_is_better;
  }
  result.shifts = stats::drift_of_controls(controls);
  const double sign = rates ? -1 : 1;  // shifts are to the worse
  result.remark = result.shifts ? facts::controls_moved(controls.size(), std::expm1(sign * result.shifts->back()))
                                : facts::too_few_controls(named, thawed, stats::fewest_controls);
  return result;
}

}  // namespace torchgate::gate
