// SPDX-License-Identifier: Apache-2.0
#include "stats/effect_size.hpp"

#include <cmath>
#include <limits>

namespace torchgate::stats {
namespace {

// [cohen-1988, chapter 2]: "small", "medium" and "large" start here; the rest is called negligible.
constexpr double small_from = 0.2;
constexpr double medium_from = 0.5;
constexpr double large_from = 0.8;

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
