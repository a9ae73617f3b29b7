// SPDX-License-Identifier: Apache-2.0
#include "stats/welch.hpp"

#include <cmath>
#include <limits>

#include "stats/student_t.hpp"

namespace torchgate::stats {

std::optional<double> satterthwaite_df(double a, std::size_t n_a, double b, std::size_t n_b, double known) {
  const double total = a + b + known;
  if (!(total > 0.0)) return std::nullopt;
  // Shares instead of squared variances: the squares of very small or very large variances leave the range of a double.
  const double share_a = a / total;
  const double share_b = b / total;
  return 1.0 / (share_a * share_a / static_cast<double>(n_a - 1) + share_b * share_b / static_cast<double>(n_b - 1));
}

std::optional<Welch> welch(const Moments& before, const Moments& after) {
  const std::optional<double> variance_before = before.variance();
  const std::optional<double> variance_after = after.variance();
  if (!variance_before || !variance_after) return std::nullopt;
  const double a = *variance_before / static_cast<double>(before.n);
  const double b = *variance_after / static_cast<double>(after.n);

  Welch result;
  result.difference = after.mean - before.mean;
  result.standard_error = std::sqrt(a + b);
  if (!std::isfinite(result.difference) || !std::isfinite(result.standard_error)) return std::nullopt;
  result.df = satterthwaite_df(a, before.n, b, after.n);
  if (result.df) {
    result.t = result.difference / result.standard_error;
    result.p = student_t_two_sided_p(result.t, *result.df);
  } else if (result.difference != 0.0) {
    result.t = std::copysign(std::numeric_limits<double>::infinity(), result.difference);
    result.p = 0.0;
  }
  return result;
}

std::optional<Welch> welch(std::span<const double> before, std::span<const double> after) {
  const std::optional<Moments> b = moments(before);
  const std::optional<Moments> a = moments(after);
  if (!b || !a) return std::nullopt;
  return welch(*b, *a);
}

}  // namespace torchgate::stats
