// SPDX-License-Identifier: Apache-2.0
#include "stats/effect_size.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/boost_policy.hpp"

namespace torchgate::stats {
namespace {

// [cohen-1988, chapter 2]: "small", "medium" and "large" start here; the rest is called negligible.
constexpr double small_from = 0.2;
constexpr double medium_from = 0.5;
constexpr double large_from = 0.8;

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

std::optional<double> cohen_d(const Moments& before, const Moments& after) {
  if (before.n < 2 || after.n < 2) return std::nullopt;
  const double difference = after.mean - before.mean;
  const double pooled_sd =
      std::sqrt((before.sum_of_squares + after.sum_of_squares) / static_cast<double>(before.n + after.n - 2));
  if (!std::isfinite(difference) || !std::isfinite(pooled_sd)) return std::nullopt;
  if (pooled_sd > 0.0) return difference / pooled_sd;
  if (difference == 0.0) return 0.0;
  return std::copysign(std::numeric_limits<double>::infinity(), difference);
}

std::optional<double> cohen_d(std::span<const double> before, std::span<const double> after) {
  const std::optional<Moments> b = moments(before);
  const std::optional<Moments> a = moments(after);
  if (!b || !a) return std::nullopt;
  return cohen_d(*b, *a);
}

std::optional<double> hedges_correction(double df) {
  if (!(df >= 2.0)) return std::nullopt;
  if (std::isinf(df)) return 1.0;
  // Gamma((df-1)/2) / Gamma(df/2) as one function: the difference of two lgamma loses nine digits at df = 1e6.
  const double inverse = boost::math::tgamma_delta_ratio((df - 1.0) / 2.0, 0.5, NoThrow{});
  return 1.0 / (std::sqrt(df / 2.0) * inverse);
}

std::optional<double> hedges_g(std::span<const double> before, std::span<const double> after) {
  const std::optional<double> d = cohen_d(before, after);
  if (!d) return std::nullopt;
  const std::optional<double> j = hedges_correction(static_cast<double>(before.size() + after.size() - 2));
  if (!j) return std::nullopt;
  return *j * *d;
}

std::optional<double> cliffs_delta(std::span<const double> before, std::span<const double> after) {
  if (before.empty() || after.empty() || !all_finite(before) || !all_finite(after)) return std::nullopt;
  const std::vector<double> b = sorted_copy(before);
  const std::vector<double> a = sorted_copy(after);
  // For each value of `after`, how many of `before` lie below it and how many above. Whole numbers, exact up to 2^53
  // pairs.
  double dominance = 0.0;
  std::size_t below = 0;
  std::size_t not_above = 0;
  for (double value : a) {
    while (below < b.size() && b[below] < value) ++below;
    while (not_above < b.size() && b[not_above] <= value) ++not_above;
    dominance += static_cast<double>(below) - static_cast<double>(b.size() - not_above);
  }
  return dominance / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

EffectWord effect_word(double d) {
  const double size = std::abs(d);
  if (size >= large_from) return EffectWord::large;
  if (size >= medium_from) return EffectWord::medium;
  if (size >= small_from) return EffectWord::small;
  return EffectWord::negligible;
}

std::string_view to_string(EffectWord word) {
  switch (word) {
    case EffectWord::negligible:
      return "negligible";
    case EffectWord::small:
      return "small";
    case EffectWord::medium:
      return "medium";
    case EffectWord::large:
      return "large";
  }
  return "negligible";
}

}  // namespace torchgate::stats
