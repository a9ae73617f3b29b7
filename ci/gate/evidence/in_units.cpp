// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/in_units.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

bool has_logarithms(const ProcessValues& values) {
  return std::all_of(values.medians.begin(), values.medians.end(), [](double value) { return value > 0; });
}

bool is_finite(const ProcessValues& values) {
  return std::all_of(values.medians.begin(), values.medians.end(), [](double value) { return std::isfinite(value); });
}

double largest_of(const ProcessValues& values) {
  double largest = 0;
  for (const double value : values.medians) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

void use_units(const InUnits& units, ProcessValues& values) {
  for (std::size_t i = 0; i < values.medians.size(); ++i)
    values.worse_logs[i] = units.scale > 0 ? values.orientation * values.medians[i] / units.scale : 0;
  values.turns.assign(values.turns.size(), nullptr);  // what turns say is a ratio
}

std::optional<InUnits> judge_in_units(ProcessValues& before, ProcessValues& after) {
  if (before.medians.empty() || after.medians.empty()) return std::nullopt;
  if (has_logarithms(before) && has_logarithms(after)) return std::nullopt;
  if (!is_finite(before) || !is_finite(after)) return std::nullopt;
  InUnits units;
  units.scale = std::max(largest_of(before), largest_of(after));
  if (units.scale > 0) {
    units.worse = after.orientation * (*stats::median(after.medians) - *stats::median(before.medians)) / units.scale;
  }
  use_units(units, before);
  use_units(units, after);
  return units;
}

bool all_zero(const ProcessValues& before, const ProcessValues& after) {
  return !before.medians.empty() && !after.medians.empty() && largest_of(before) == 0 && largest_of(after) == 0;
}

}  // namespace torchgate::gate
