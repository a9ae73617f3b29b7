// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/calibrated.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/record/cuda_cases.hpp"

namespace torchgate::workflow {

namespace {

// Of instructions: another counter's are not those of this one.
void use_spreads(gate::Comparison& comparison, const std::shared_ptr<const record::Calibration>& calibration) {
  if (calibration->instruction_counter.empty()) return;
  std::unordered_map<std::string_view, double> spreads;
  for (const record::CaseCalibration& one : calibration->cases)
    if (one.instructions_spread) spreads.emplace(one.name, *one.instructions_spread);
  comparison.instructions_spread_of = [calibration, spreads = std::move(spreads)](
                                          const std::string& name,
                                          const std::string& counter) -> std::optional<double> {
    const auto spread = spreads.find(name);
    if (counter != calibration->instruction_counter || spread == spreads.end()) return std::nullopt;
    return spread->second;
  };
}

// CUDA cases of RUN, if the calibration is of another GPU: their noise there says nothing of it here.
std::set<std::string> cases_of_another_gpu(const record::Run& run, const record::Calibration& calibration) {
  std::set<std::string> names;
  if (calibration.device_key == run.machine.device_key) return names;
  for (const record::Case& each : run.cases)
    if (record::is_cuda(each) && !each.skipped) names.insert(each.name);
  return names;
}

}  // namespace

base::Result<void> use_calibration(gate::Comparison& comparison, const baselines::Store* store,
                                   const policy::Gate& policy) {
  if (store == nullptr) return {};
  auto found = store->calibration(comparison.current->machine.host_key);
  if (!found) return found.error();
  if (!*found) return {};
  const auto calibration = std::make_shared<const record::Calibration>(std::move(**found));
  use_spreads(comparison, calibration);
  if (policy.run_sd) return {};
  std::unordered_map<std::string_view, std::optional<double>>
      known;  // the first one of duplicate names, as in record::run_sd_of
  for (const record::CaseCalibration& one : calibration->cases) known.emplace(one.name, one.run_sd);
  const std::set<std::string> others = cases_of_another_gpu(*comparison.current, *calibration);
  if (!others.empty())
    comparison.notes.push_back(fmt::format("calibrated on another GPU ({}): not used for CUDA cases",
                                           calibration->device_key.value_or("unknown")));
  comparison.run_sd_of = [calibration, known = std::move(known),
                          others](const std::string& name) -> std::optional<double> {
    if (others.contains(name)) return std::nullopt;
    const auto own = known.find(name);
    return own == known.end() ? calibration->run_sd : own->second.value_or(calibration->run_sd);
  };
  comparison.notes.push_back(
      fmt::format("calibrated on {} with {}: typical run-to-run variation {:.2g} %", calibration->created.substr(0, 10),
                  base::counted(calibration->runs.size(), "run", "runs"), std::expm1(calibration->run_sd) * 100));
  return {};
}

}  // namespace torchgate::workflow
