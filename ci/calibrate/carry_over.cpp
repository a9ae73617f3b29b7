// SPDX-License-Identifier: Apache-2.0
#include "ci/calibrate/carry_over.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stats/quantile.hpp"

namespace torchgate::calibrate {
namespace {

std::optional<double> typical_run_sd(const record::Calibration& calibration) {
  std::vector<double> known;
  for (const record::CaseCalibration& one : calibration.cases)
    if (one.run_sd) known.push_back(*one.run_sd);
  return stats::median(known);
}

}  // namespace

CarriedOver carry_over(record::Calibration& measured, const record::Calibration& earlier) {
  const bool on_gpu = std::ranges::any_of(measured.cases, [](const auto& one) { return one.device == "cuda"; });
  if (!on_gpu && !measured.device_key) measured.device_key = earlier.device_key;
  const bool same_gpu = measured.device_key == earlier.device_key;
  const auto usable = [&](const record::CaseCalibration& one) {
    return same_gpu || one.device == "cpu" || (one.device.empty() && !earlier.device_key);
  };
  if (measured.instruction_counter.empty()) measured.instruction_counter = earlier.instruction_counter;
  const bool same_counter = measured.instruction_counter == earlier.instruction_counter;
  std::unordered_map<std::string_view, const record::CaseCalibration*> known;  // the first of duplicate names
  for (const record::CaseCalibration& one : earlier.cases) known.emplace(one.name, &one);
  for (record::CaseCalibration& one : measured.cases) {
    const auto found = known.find(one.name);
    if (found == known.end()) continue;
    const record::CaseCalibration& before = *found->second;
    known.erase(found);
    if (!usable(before)) continue;
    if (!one.run_sd) one.run_sd = before.run_sd;
    if (!one.instructions_spread && same_counter) one.instructions_spread = before.instructions_spread;
  }
  CarriedOver carried;
  for (const record::CaseCalibration& one : earlier.cases) {
    if (known.erase(one.name) == 0) continue;
    if (!usable(one)) {
      ++carried.dropped;
      continue;
    }
    record::CaseCalibration& added = measured.cases.emplace_back(one);
    if (added.created.empty()) added.created = earlier.created;
    if (!same_counter) added.instructions_spread.reset();
    ++carried.kept;
  }
  if (carried.kept > 0) measured.run_sd = typical_run_sd(measured).value_or(measured.run_sd);
  return carried;
}

}  // namespace torchgate::calibrate
