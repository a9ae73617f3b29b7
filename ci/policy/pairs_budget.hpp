// SPDX-License-Identifier: Apache-2.0
// --budget: how long interleaved pairs may take, or how many there may be.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::policy {

/// At least one of the two is set. The time to build commits is not counted.
struct Budget {
  std::optional<double> seconds;
  std::optional<std::int64_t> pairs;  ///< of all groups together
};

/// "90s", "5m", "1h30m", "24 pairs", "24" (pairs). bad_input for anything else, and for nothing at all.
base::Result<Budget> parse_budget(const std::string& text);

/// What gate.budget allows the pairs of a confirmation. Suspects come first in any case.
struct GateBudget {
  Budget total;                     ///< of suspects and open cases together, where a time or a number was given
  bool as_long_as_the_run = false;  ///< "run": suspects without a limit, then open cases for as long as the run took
  bool open_cases = true;           ///< false: "none": suspects only
};

/// Of a budget of time: kept for counting the instructions of cases that the pairs leave open (gate.count_undecided).
inline constexpr double counting_share = 0.2;

/// What is left of it for the pairs.
std::optional<double> seconds_for_pairs(std::optional<double> budget_s, bool count_undecided);
/// What was kept beside PAIRS_S, which seconds_for_pairs() left.
double seconds_for_counts(double pairs_s);

/// "run", "none", or what parse_budget takes.
base::Result<GateBudget> parse_gate_budget(const std::string& text);

/// What counting gets in any case under gate.budget = TEXT: three minutes where no time is stated. The budget then follows from how long the
/// cases take, and a few of a millisecond would leave seconds: Callgrind needs ten of them to load LibTorch, and five times as many where ten
/// programs share two CPUs. 0 where one is.
std::chrono::seconds least_time_for_counts(const std::string& text);

}  // namespace torchgate::policy
