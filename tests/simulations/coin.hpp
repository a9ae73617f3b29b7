// SPDX-License-Identifier: Apache-2.0
// The level of the signed-rank test on autocorrelated noise. Each pair's order is drawn by its own coin, so the test
// must keep its level for any dependence from process to process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace torchgate::simulations {

/// AR(1) with two correlations; bursts of other load over 2-3 processes; a linear drift; independent values.
enum class Noise { independent, ar_035, ar_070, bursts, linear };
inline constexpr std::array noises{Noise::independent, Noise::ar_035, Noise::ar_070, Noise::bursts, Noise::linear};
std::string_view name_of(Noise noise);

/// Share of unchanged sequences of `pairs` pairs with p below 5, 1 and 0.1 %.
struct Level {
  std::size_t draws = 0;
  std::array<std::size_t, 3> below{};
};
inline constexpr std::array levels{0.05, 0.01, 0.001};
/// Limits for 60,000 draws, in percent: the levels and about three standard errors.
inline constexpr std::array level_bars{5.3, 1.15, 0.14};
inline constexpr std::size_t coin_pairs = 48;

Level signed_rank_level(Noise noise, std::size_t draws, std::uint64_t seed);

}  // namespace torchgate::simulations
