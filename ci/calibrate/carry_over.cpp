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

std::size_t carry_over(record::Calibration& measured, const record::Calibration& earlier) {
  if (!measured.device_key) measured.device_key = earlier.device_key;
  if (earlier.device_key && measured.device_key != earlier.device_key)
    return 0;  // it does not say which cases ran on its GPU
  if (measured.instruction_counter.empty()) measured.instruction_counter = earlier.instruction_counter;
  const bool same_counter = measured.instruction_counter == earlier.instruction_counter;
  std::unordered_map<std::string_view, const record::CaseCalibration*> known;  // the first of duplicate names
  for (const record::CaseCalibration& one : earlier.cases) known.emplace(one.name, &one);
  for (record::CaseCalibration& one : measured.cases) {
    const auto found = known.find(one.name);
    if (found == known.end()) continue;
    if (!one.run_sd) one.run_sd = found->second->run_sd;
    if (!one.instructions_spread && same_counter) one.instructions_spread = found->second->instructions_spread;
    known.erase(found);
  }
  std::size_t added = 0;
  for (const record::CaseCalibration& one : earlier.cases) {
    if (known.erase(one.name) == 0) continue;
    measured.cases.push_back(one);
    if (!same_counter) measured.cases.back().instructions_spread.reset();
    ++added;
  }
  if (added > 0) measured.run_sd = typical_run_sd(measured).value_or(measured.run_sd);
  return added;
}

}  // namespace torchgate::calibrate
