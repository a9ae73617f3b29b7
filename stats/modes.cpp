// SPDX-License-Identifier: Apache-2.0
#include "stats/modes.hpp"

#include <algorithm>
#include <cmath>

#include "stats/dip.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

// The dip that 1 % of uniform samples exceed is about this over sqrt(n); simulated, see CALIBRATE.
constexpr double critical_dip = 0.63;

// Where the sorted values fall apart into two groups whose squared distances from their own means are smallest: the cut
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

}  // namespace

std::optional<TwoModes> two_modes_of_sorted(std::span<const double> sorted, double effective,
                                            const ModesLimits& limits) {
  const std::size_t n = sorted.size();
  if (n < modes_from || !(effective > 0.0)) return std::nullopt;
  const auto smallest =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(limits.share * static_cast<double>(n))));
  if (2 * smallest > n) return std::nullopt;
  // Cheapest question first: most processes are quiet, and none of their samples are far enough apart.
  if (sorted[n - smallest] - sorted[smallest - 1] < limits.distance) return std::nullopt;
  const std::size_t cut = best_cut(sorted, smallest);
  const double lower = *quantile_of_sorted(sorted.first(cut), 0.5);
  const double upper = *quantile_of_sorted(sorted.subspan(cut), 0.5);
  if (upper - lower < limits.distance) return std::nullopt;
  if (*dip(sorted) < critical_dip / std::sqrt(effective)) return std::nullopt;
  return TwoModes{lower, upper, static_cast<double>(n - cut) / static_cast<double>(n)};
}

}  // namespace torchgate::stats
