// SPDX-License-Identifier: Apache-2.0
// What:    how many values lie far from the rest.
// Assumes: more than half of the values are not outliers; order does not matter. Logarithms of times: far means a
//          factor.
// Source:  modified z-scores |x - median| / (1.4826 MAD) above 3.5 [iglewicz-hoaglin-1993]; why the median absolute
//          deviation and not the SD, which outliers inflate: [leys-2013]. 3.5 and not their 2.5 or 3, because these are
//          counted in every report: of 1,000 normal values 0.5 are beyond 3.5, and 2.7 beyond 3.
// Checked: tests/stats/outliers_test.cpp, against the definition in tests/oracles/stats/make_noise_vectors.py
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

inline constexpr double outlier_cut = 3.5;

/// Below this many values the spread of half of them is not a usable scale.
inline constexpr std::size_t outliers_from = 10;

/// Of values sorted in ascending order. None below ten values, and when more than half of them are equal:
/// the scale is then 0. Counted, never removed: the median is robust, and a spike may be the effect of a change.
std::optional<std::size_t> outlier_count_of_sorted(std::span<const double> sorted, double cut = outlier_cut);

/// Of values in any order (a copy is sorted). None also when a value is not finite.
std::optional<std::size_t> outlier_count(std::span<const double> values, double cut = outlier_cut);

}  // namespace torchgate::stats
