// SPDX-License-Identifier: Apache-2.0
// What:    standardised differences of two samples: Cohen's d, Hedges' g, Cliff's delta, and the usual words for d.
// Assumes: d and g: similar variances (they pool them). Cliff's delta: nothing about the distribution.
// Source:  d and its words [cohen-1988, chapter 2]; g with the exact correction J [hedges-1981];
//          delta = 2U/(n1 n2) - 1 [cliff-1993].
// Checked: tests/stats/effect_size_test.cpp, reference vectors and a slow count over all pairs
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "stats/moments.hpp"

namespace torchgate::stats {

/// (mean(after) - mean(before)) / pooled standard deviation. When neither side varies: 0 for equal means, else
/// +-infinity. None when a side has fewer than two values, a value is not finite or a variance does not fit a double.
std::optional<double> cohen_d(std::span<const double> before, std::span<const double> after);
std::optional<double> cohen_d(const Moments& before, const Moments& after);

/// J(df) = Gamma(df/2) / (sqrt(df/2) Gamma((df-1)/2)), the factor that makes d unbiased. None for df < 2.
std::optional<double> hedges_correction(double df);

/// J d with df = n1 + n2 - 2. None where cohen_d is.
std::optional<double> hedges_g(std::span<const double> before, std::span<const double> after);

/// P(after > before) - P(after < before), -1 to 1, ties counted as neither. None when a side is empty or not finite.
std::optional<double> cliffs_delta(std::span<const double> before, std::span<const double> after);

/// Cohen's words for |d|: negligible below 0.2, small below 0.5, medium below 0.8, large from there on.
enum class EffectWord : std::uint8_t { negligible, small, medium, large };
EffectWord effect_word(double d);
std::string_view to_string(EffectWord word);

}  // namespace torchgate::stats
