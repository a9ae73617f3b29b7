// SPDX-License-Identifier: Apache-2.0
// What:    whether a claim such as "folded takes at most 0.9 of eager's time" is broken, holds, or is undecided.
// Assumes: both variants were measured in the same processes, one log value each per process; their differences are
//          roughly normal.
// Source:  one-sided t bound of the mean of r_p = ln(optimised_p) - ln(reference_p).
// Checked: tests/stats/claim_test.cpp, against the Python reference
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "stats/verdict.hpp"

namespace torchgate::stats {

enum class ClaimCall : std::uint8_t { holds, broken, undecided };
std::string_view to_string(ClaimCall call);

struct ClaimOptions {
  double alpha = 0.01;        ///< risk of any false `broken` over the run's claims
  std::size_t claims = 1;     ///< how many those are; alpha/claims each
  std::size_t processes = 5;  ///< fewer are undecided
};

struct ClaimJudgement {
  ClaimCall call = ClaimCall::undecided;
  Reasons reasons;
  std::size_t processes = 0;
  std::optional<double> ratio;  ///< optimised / reference, geometric mean over processes
  /// One-sided bounds of the ratio at 1 - alpha/claims; none where a double cannot hold one.
  std::optional<double> lower;
  std::optional<double> upper;
};

/// The claim is ratio <= promised. Broken when the lower bound is above it, holds when the upper bound is not. A claim
/// "at least" (throughput) is the same with the two sides swapped and the promise inverted.
ClaimJudgement judge_claim(std::span<const double> reference_logs, std::span<const double> optimised_logs,
                           double promised_ratio, const ClaimOptions& options = {});

}  // namespace torchgate::stats
