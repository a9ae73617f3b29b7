// SPDX-License-Identifier: Apache-2.0
#include "stats/drift.hpp"

#include <algorithm>
#include <cmath>

#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

bool usable(const RunSeries& series) {
  return series.size() >= 2 && std::all_of(series.begin(), series.end(), [](double v) { return std::isfinite(v); });
}

double stored_median(const RunSeries& series) {
  return *median(std::span(series).first(series.size() - 1));
}

}  // namespace

std::optional<std::vector<double>> drift_of_controls(std::span<const RunSeries> controls) {
  std::size_t runs = 0;
  for (const RunSeries& control : controls) runs = std::max(runs, control.size());
  std::vector<std::vector<double>> moved(runs);  // per run, of each control
  for (const RunSeries& control : controls) {
    if (control.size() != runs || !usable(control)) continue;
    const double level = stored_median(control);
    for (std::size_t r = 0; r < runs; ++r) moved[r].push_back(control[r] - level);
  }
  if (moved.empty() || moved.front().size() < fewest_controls) return std::nullopt;
  std::vector<double> shifts;
  shifts.reserve(runs);
  for (const std::vector<double>& of_run : moved) shifts.push_back(*median(of_run));
  return shifts;
}

}  // namespace torchgate::stats
