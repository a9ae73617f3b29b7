// SPDX-License-Identifier: Apache-2.0
#include "stats/turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "stats/moments.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

bool has_logarithms(std::span<const double> values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0 && std::isfinite(value); });
}

}  // namespace

std::optional<double> floor_of(std::span<const double> samples, Better better) {
  return quantile(samples, better == Better::lower ? floor_share : 1.0 - floor_share);
}

std::optional<double> turn_mean(std::span<const double> samples, Better better) {
  if (!has_logarithms(samples)) return std::nullopt;
  CompensatedSum sum;
  for (const double sample : samples) sum.add(better == Better::lower ? 1.0 / sample : sample);
  const double mean = sum.value() / static_cast<double>(samples.size());
  const double in_unit = better == Better::lower ? 1.0 / mean : mean;
  return in_unit > 0.0 && std::isfinite(in_unit) ? std::optional(in_unit) : std::nullopt;
}

std::optional<double> typical_change(std::span<const double> before_means, std::span<const double> after_means) {
  if (before_means.size() != after_means.size()) return std::nullopt;
  if (!has_logarithms(before_means) || !has_logarithms(after_means)) return std::nullopt;
  std::vector<double> ratios(before_means.size());
  for (std::size_t turn = 0; turn < ratios.size(); ++turn)
    ratios[turn] = std::log(after_means[turn]) - std::log(before_means[turn]);
  return median(ratios);
}

}  // namespace torchgate::stats
