// SPDX-License-Identifier: Apache-2.0
#include "stats/side_of_change.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "stats/moments.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr double tail_df = 4.0;
// The upper quartile of Student's t with 4 degrees of freedom: its median absolute deviation, in units of its scale.
constexpr double deviation_of_t4 = 0.7406971;
// As the smallest SD of log times elsewhere in this folder: finer than any clock.
constexpr double smallest_scale = 1e-6;
constexpr std::size_t fewest_for_a_spread = 4;

// ln of the density of Student's t, but for what does not depend on the value.
double log_density(double standardized) {
  return -0.5 * (tail_df + 1.0) * std::log1p(standardized * standardized / tail_df);
}

}  // namespace

std::optional<double> spread_of_pairs(std::span<const double> differences) {
  if (differences.size() < fewest_for_a_spread || !all_finite(differences)) return std::nullopt;
  const double centre = *median(differences);
  std::vector<double> deviations;
  for (const double difference : differences) deviations.push_back(std::abs(difference - centre));
  return std::max(smallest_scale, *median(deviations) / deviation_of_t4);
}

double evidence_for_after(std::span<const double> differences, const KnownChange& known) {
  if (!all_finite(differences)) return 0.0;
  double evidence = 0.0;
  for (const double difference : differences)
    evidence += log_density((difference - known.change) / known.scale) - log_density(difference / known.scale);
  return evidence;
}

PlacedBuild place_build(std::span<const double> differences, const KnownChange& known, const SideOptions& options) {
  assert(known.change != 0.0 && known.scale > 0.0);
  PlacedBuild placed;
  placed.pairs = differences.size();
  placed.limit = std::log((1.0 - options.alpha) / options.alpha);
  KnownChange own = known;
  if (const auto spread = spread_of_pairs(differences)) own.scale = std::max(own.scale, *spread);
  placed.evidence = evidence_for_after(differences, own);
  if (placed.pairs >= options.fewest && std::abs(placed.evidence) >= placed.limit)
    placed.side = placed.evidence > 0 ? SideOfChange::after : SideOfChange::before;
  placed.done = placed.side != SideOfChange::undecided || placed.pairs >= options.most;
  return placed;
}

}  // namespace torchgate::stats
