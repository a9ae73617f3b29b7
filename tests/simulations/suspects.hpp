// SPDX-License-Identifier: Apache-2.0
// What the suspects of the screen cost and find in suites of different sizes, selected one by one or by the false
// discovery rate (`gate.suspects`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/simulations/evaluation.hpp"

namespace torchgate::simulations {

/// Cases of a suite: the suites of this repository before and after they cover most optimisations, and between.
inline constexpr std::array suite_sizes{std::size_t{94}, std::size_t{200}, std::size_t{332}};

/// Changed cases of a pull request.
inline constexpr std::array numbers_changed{std::size_t{1}, std::size_t{5}};

struct SuspectsRow {
  std::string screening;
  bool false_discovery_rate = false;
  bool open_cases = false;  ///< measured too, for as long as the run took
  std::size_t cases = 0;
  std::size_t changed = 0;
  Tally unchanged;  ///< nothing changed
  Tally five;       ///< the changed cases are 5 % slower
  Tally ten;        ///< 10 % slower
};

/// All ways of selecting suspects, for one size of suite and so many changed cases.
std::vector<SuspectsRow> suspects_of(const Profile& profile, std::size_t cases, std::size_t changed,
                                     std::size_t requests, std::uint64_t seed);

void print_suspects(std::ostream& out, const std::vector<SuspectsRow>& rows);

}  // namespace torchgate::simulations
