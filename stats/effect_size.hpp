// SPDX-License-Identifier: Apache-2.0
// What:    Cohen's d, the standardised difference of two samples, and the usual words for its size.
// Assumes: similar variances on both sides (they are pooled).
// Source:  [cohen-1988, chapter 2].
// Checked: tests/stats/effect_size_test.cpp and tests/stats/welch_test.cpp, against reference vectors
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

/// Cohen's words for |d|: negligible below 0.2, small below 0.5, medium below 0.8, large from there on.
enum class EffectWord : std::uint8_t { negligible, small, medium, large };
EffectWord effect_word(double d);
std::string_view to_string(EffectWord word);

}  // namespace torchgate::stats
