// SPDX-License-Identifier: Apache-2.0
// False alarms and detection of pairs that took turns, judged by their floor and their typical change, beside pairs of processes that ran
// one after the other, judged by their medians: the same machine, the same looks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stats/interleaved.hpp"
#include "tests/simulations/bars.hpp"
#include "tests/simulations/turn_noise.hpp"

namespace torchgate::simulations {

/// What is done to the after side.
enum class Change : std::uint8_t { none, slower_2, slower_5, slower_10, slow_calls, faster_5 };
inline constexpr std::array changes{Change::none,      Change::slower_2,   Change::slower_5,
                                    Change::slower_10, Change::slow_calls, Change::faster_5};
/// "+5 %".
std::string_view name_of(Change change);

/// How cases are paired: all of a suite (`ab`), or those that a screen left open.
struct PairDesign {
  std::string_view name;
  stats::InterleavedOptions options;
};
std::array<PairDesign, 2> pair_designs();

struct TurnTally {
  std::size_t cases = 0;
  std::size_t regressed = 0;
  std::size_t improved = 0;
  std::size_t equivalent = 0;
  std::size_t pairs = 0;
};

struct TurnRates {
  std::string machine;
  std::string rule;
  std::size_t requests = 0;
  std::size_t requests_alarmed = 0;  ///< any unchanged case called regressed
  std::array<TurnTally, changes.size()> of_change;

  [[nodiscard]] const TurnTally& of(Change change) const { return of_change.at(static_cast<std::size_t>(change)); }
};

/// Of pairs one after the other, and in turns. A request has as many cases as share alpha, all paired. Changes are made, and pairs one after
/// the other drawn, in a sixteenth of the requests.
std::vector<TurnRates> study_turns(const TurnMachine& machine, const PairDesign& design, std::uint64_t requests,
                                   std::uint64_t seed);

/// Of both machines and rules: false alarms at most 1 % of the requests; in turns at least as much found as one after the other.
std::vector<BarResult> bars_of(const std::vector<TurnRates>& rates);

}  // namespace torchgate::simulations
