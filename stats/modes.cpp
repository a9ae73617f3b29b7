// SPDX-License-Identifier: Apache-2.0
#include "stats/modes.hpp"

#include <algorithm>
#include <cmath>

#include "stats/dip.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

// The dip that 1 % of uniform samples exceed is 0.56 to 0.59 over sqrt(n) for 30 to 100 values, 0.62 for 1,000
// (tests/stats/noise_rates_test.cpp).
constexpr double critical_dip = 0.57;

// The cut of the sorted values into the two groups with the smallest squared distances from their own means: the one
// with the largest sum of squares between the groups.
std::size_t best_cut(std::span<const double> sorted, std::size_t smallest_group) {
  const std::size_t n = sorted.size();
  const double origin = sorted[n / 2];  // differences of logs keep their digits
  double total = 0.0;
  for (double value : sorted) total += value - origin;
  const double mean = total / static_cast<double>(n);
  double below = 0.0;
  double best = -1.0;
  std::size_t cut = n / 2;
  for (std::size_t k = 1; k + smallest_group <= n; ++k) {
    below += sorted[k - 1] - origin;
    if (k < smallest_group) continue;
    const auto size = static_cast<double>(k);
    const double shift = below - size * mean;
    const double between = shift * shift / (size * (static_cast<double>(n) - size));
    if (between > best) {
      best = between;
      cut = k;
    }
  }
  return cut;
}

// How often the series goes from one mode to the other. Samples in the middle half between them belong to neither.
std::size_t changes_between(std::span<const double> samples, double lower, double upper) {
  const double quarter = (upper - lower) / 4.0;
  std::size_t changes = 0;
  std::optional<bool> last;
  for (double value : samples) {
    const bool is_upper = value > upper - quarter;
    if (!is_upper && value >= lower + quarter) continue;
    if (last && *last != is_upper) ++changes;
    last = is_upper;
  }
  return changes;
}

}  // namespace

std::optional<TwoModes> two_modes(std::span<const double> log_samples, std::span<const double> sorted,
                                  const ModesLimits& limits) {
  const std::size_t n = sorted.size();
  if (n < modes_from || log_samples.size() != n) return std::nullopt;
  const auto smallest = static_cast<std::size_t>(std::ceil(limits.share * static_cast<double>(n)));
  if (smallest < 1 || 2 * smallest > n) return std::nullopt;
  // The cheapest test first: most processes are quiet, and none of their samples are far enough apart.
  if (!(sorted[n - smallest] - sorted[smallest - 1] >= limits.distance)) return std::nullopt;
  const std::size_t cut = best_cut(sorted, smallest);
  const double lower = *quantile_of_sorted(sorted.first(cut), 0.5);
  const double upper = *quantile_of_sorted(sorted.subspan(cut), 0.5);
  if (upper - lower < limits.distance) return std::nullopt;
  if (changes_between(log_samples, lower, upper) < limits.changes) return std::nullopt;
  if (*dip(sorted) < critical_dip / std::sqrt(static_cast<double>(n))) return std::nullopt;
  return TwoModes{lower, upper, static_cast<double>(n - cut) / static_cast<double>(n)};
}

}  // namespace torchgate::stats
