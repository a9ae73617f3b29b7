// SPDX-License-Identifier: Apache-2.0
#include "stats/kolmogorov_smirnov.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// How far a point of the grid lies from the diagonal, times n1 n2: a whole number.
std::int64_t distance_at(std::size_t i, std::size_t j, std::size_t n1, std::size_t n2) {
  return std::abs(static_cast<std::int64_t>(i * n2) - static_cast<std::int64_t>(j * n1));
}

std::int64_t largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  std::int64_t largest = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double next = std::min(a[i], b[j]);  // equal values are one step
    while (i < a.size() && a[i] == next) ++i;
    while (j < b.size() && b[j] == next) ++j;
    largest = std::max(largest, distance_at(i, j, a.size(), b.size()));
  }
  return largest;
}

// Share of all paths from (0, 0) to (n1, n2) that touch a point at least this far away. `shares[j]` is that of the paths
// to (i, j); the last step to it came from (i-1, j) with chance i/(i+j).
double share_of_paths(std::int64_t reached, std::size_t n1, std::size_t n2) {
  std::vector<double> shares(n2 + 1, 0.0);
  for (std::size_t i = 0; i <= n1; ++i) {
    for (std::size_t j = 0; j <= n2; ++j) {
      if (distance_at(i, j, n1, n2) >= reached) {
        shares[j] = 1.0;
      } else if (i + j > 0) {
        const double from_left = i > 0 ? static_cast<double>(i) * shares[j] : 0.0;
        const double from_below = j > 0 ? static_cast<double>(j) * shares[j - 1] : 0.0;
        shares[j] = (from_left + from_below) / static_cast<double>(i + j);
      }
    }
  }
  return shares[n2];
}

double limit_p(double distance, std::size_t n1, std::size_t n2) {
  const double size = static_cast<double>(n1) * static_cast<double>(n2) / static_cast<double>(n1 + n2);
  const double z2 = size * distance * distance;
  constexpr int terms = 100;
  constexpr double surely_all =
      0.04;  // below this z^2 the series is 1 to every digit, and does not converge in 100 terms
  if (z2 < surely_all) return 1.0;
  double p = 0.0;
  for (int k = 1; k <= terms; ++k) p += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * z2);
  return std::clamp(p, 0.0, 1.0);
}

}  // namespace

std::optional<KolmogorovSmirnov> kolmogorov_smirnov(std::span<const double> before, std::span<const double> after) {
  if (before.empty() || after.empty() || !all_finite(before) || !all_finite(after)) return std::nullopt;
  const std::size_t n1 = before.size();
  const std::size_t n2 = after.size();
  const std::int64_t reached = largest_distance(sorted_copy(before), sorted_copy(after));
  KolmogorovSmirnov test;
  test.distance = static_cast<double>(reached) / (static_cast<double>(n1) * static_cast<double>(n2));
  test.exact = n1 <= kolmogorov_smirnov_exact_cells / n2;
  test.p = test.exact ? share_of_paths(reached, n1, n2) : limit_p(test.distance, n1, n2);
  return test;
}

}  // namespace torchgate::stats
