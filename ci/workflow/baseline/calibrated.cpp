// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/calibrated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
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

// Of a case without its own: few others do not show what is typical of a machine, and quiet ones do not make it quiet.
double unknown_run_sd(const record::Calibration& calibration) {
  constexpr std::ptrdiff_t fewest = 10;  // stats::moderated_from_cases
  const auto known = std::ranges::count_if(calibration.cases, [](const auto& one) { return one.run_sd.has_value(); });
  if (known < fewest) return policy::assumed_run_sd;
  return std::max(calibration.run_sd, policy::assumed_run_sd);
}

// Of the cases that were calibrated before: " (12 cases earlier, on 2026-01-01 or later)".
std::string earlier_cases(const record::Calibration& calibration) {
  std::size_t count = 0;
  std::string oldest;
  for (const record::CaseCalibration& one : calibration.cases) {
    if (one.created.empty()) continue;
    ++count;
    if (oldest.empty() || one.created < oldest) oldest = one.created;
  }
  if (count == 0) return "";
  return fmt::format(" ({} earlier, on {} or later)", base::counted(count, "case", "cases"), oldest.substr(0, 10));
}

}  // namespace

base::Result<void> use_calibration(gate::Comparison& comparison, const baselines::Store* store,
                                   const policy::Gate& policy) {
  if (store == nullptr) return {};
  auto found = store->calibration(comparison.current->machine.host_key);
  if (!found) return found.error();
  if (!found->warning.empty()) comparison.doubts.emplace_back(found->warning);
  if (!found->calibration) return {};
  const auto calibration = std::make_shared<const record::Calibration>(*std::move(found->calibration));
  use_spreads(comparison, calibration);
  if (policy.run_sd) return {};
  std::unordered_map<std::string_view, double> known;  // the first one of duplicate names
  for (const record::CaseCalibration& one : calibration->cases)
    if (one.run_sd) known.emplace(one.name, *one.run_sd);
  const double otherwise = unknown_run_sd(*calibration);
  const std::set<std::string> others = cases_of_another_gpu(*comparison.current, *calibration);
  if (!others.empty())
    comparison.notes.push_back(
        calibration->device_key
            ? fmt::format("calibrated on another GPU ({}): not used for CUDA cases", *calibration->device_key)
            : "not calibrated on a GPU: CUDA cases take the assumed variation");
  const auto unknown = std::ranges::count_if(comparison.current->cases, [&](const record::Case& each) {
    return !each.skipped && !others.contains(each.name) && !known.contains(each.name);
  });
  std::string note =
      fmt::format("calibrated on {} with {}{}: typical run-to-run variation {:.2g} %",
                  calibration->created.substr(0, 10), base::counted(calibration->runs.size(), "run", "runs"),
                  earlier_cases(*calibration), std::expm1(calibration->run_sd) * 100);
  if (unknown > 0)
    note += fmt::format("; not measured then: {}, for which {:.2g} % is assumed",
                        base::counted(unknown, "case", "cases"), std::expm1(otherwise) * 100);
  comparison.notes.push_back(std::move(note));
  comparison.run_sd_of = [calibration, known = std::move(known), others,
                          otherwise](const std::string& name) -> std::optional<double> {
    if (others.contains(name)) return std::nullopt;
    const auto own = known.find(name);
    return own == known.end() ? otherwise : own->second;
  };
  return {};
}

}  // namespace torchgate::workflow
