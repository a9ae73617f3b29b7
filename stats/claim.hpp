// SPDX-License-Identifier: Apache-2.0
// What:    whether claims such as "folded takes at most 0.9 of eager's time" are broken, hold, or are undecided: all claims
//          of a run together.
// Assumes: both variants were measured in the same processes, one log value each per process; their differences are
//          roughly normal, with a variance of each claim's own. Claims are independent (a shared reference lowers the
//          rate: stats/EVIDENCE.md). A value of 0 has the log -infinity: where all values of a side are 0 they decide as they are.
//          Where some ratios are 0, the others decide whether the claim holds, and where some are infinite, whether it is broken.
// Source:  one-sided t of the mean of r_p = ln(optimised_p) - ln(reference_p). `broken`: Holm over the claims measured
//          beyond their promise, each at twice its p [ellis-2020] [zhao-2019] [holm-1979]. `holds`: alpha each.
// Checked: tests/stats/claim_test.cpp and verdicts_test.cpp, against the Python reference
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/verdict.hpp"

namespace torchgate::stats {

enum class ClaimCall : std::uint8_t { holds, broken, undecided };
std::string_view to_string(ClaimCall call);

struct ClaimOptions {
  double alpha = 0.01;        ///< risk of any false `broken` over all claims, and of a false `holds` of each
  std::size_t processes = 5;  ///< fewer are undecided
};

/// The claim is ratio <= promised. A claim "at least" (throughput) is the same with the two sides swapped and the promise
/// inverted. Nothing is owned.
struct ClaimSample {
  std::span<const double> reference_logs;
  std::span<const double> optimised_logs;
  double promised_ratio = 1.0;
};

struct ClaimJudgement {
  ClaimCall call = ClaimCall::undecided;
  Reasons reasons;
  std::size_t processes = 0;
  std::optional<double>
      ratio;  ///< optimised / reference, geometric mean over processes; none where some are 0 or infinite
  /// One-sided bounds of the ratio; none where a double cannot hold one. Broken means that the lower one is above the
  /// promise: it has the level that Holm's last step tested at. Holds means that the upper one, at 1 - alpha, is not.
  std::optional<double> lower;
  std::optional<double> upper;
};

/// From this many claims on those measured within their promise do not share alpha, and the others pay for it with twice
/// their p. Of two claims at most one could be spared, which gains nothing.
inline constexpr std::size_t only_beyond_promise_from_claims = 3;

/// The claims of one run, in their order. A claim that cannot be tested says why, and takes no share of alpha.
std::vector<ClaimJudgement> judge_claims(std::span<const ClaimSample> claims, const ClaimOptions& options = {});

/// One claim alone.
ClaimJudgement judge_claim(std::span<const double> reference_logs, std::span<const double> optimised_logs,
                           double promised_ratio, const ClaimOptions& options = {});

}  // namespace torchgate::stats
