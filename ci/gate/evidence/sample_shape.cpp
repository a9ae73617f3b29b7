// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/sample_shape.hpp"

#include <algorithm>
#include <cmath>

#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

constexpr double low_quantile = 0.005;
constexpr double high_quantile = 0.995;

std::vector<std::int64_t> bins_of(const std::vector<double>& samples, reports::SampleShape& shape) {
  std::vector<std::int64_t> bins(shape_bins);
  const double width = (shape.high - shape.low) / static_cast<double>(shape_bins);
  for (const double sample : samples) {
    if (!(sample >= shape.low && sample <= shape.high)) {
      ++shape.beyond;
      continue;
    }
    const auto bin = static_cast<std::size_t>((sample - shape.low) / width);
    ++bins[std::min(bin, shape_bins - 1)];
  }
  return bins;
}

}  // namespace

std::optional<reports::SampleShape> sample_shape(const std::vector<double>& before, const std::vector<double>& after,
                                                 const std::vector<double>& process_values) {
  if (before.size() < shape_bins || after.size() < shape_bins) return std::nullopt;
  std::vector<double> all = before;
  all.insert(all.end(), after.begin(), after.end());
  std::erase_if(all, [](double value) { return !std::isfinite(value); });
  std::sort(all.begin(), all.end());
  const auto low = stats::quantile_of_sorted(all, low_quantile);
  const auto high = stats::quantile_of_sorted(all, high_quantile);
  if (!low || !high) return std::nullopt;
  reports::SampleShape shape;
  shape.low = *low;
  shape.high = *high;
  for (const double value : process_values) {
    if (!std::isfinite(value)) continue;
    shape.low = std::min(shape.low, value);
    shape.high = std::max(shape.high, value);
  }
  if (!(shape.high > shape.low)) return std::nullopt;
  shape.before = bins_of(before, shape);
  shape.after = bins_of(after, shape);
  return shape;
}

}  // namespace torchgate::gate
