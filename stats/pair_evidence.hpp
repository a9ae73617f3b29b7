// SPDX-License-Identifier: Apache-2.0
// Private to stats: what the fixed and the sequential judgement of pairs share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/pair_judgement.hpp"

namespace torchgate::stats {

/// Share of the pairs that the trimmed mean leaves out on each side.
inline constexpr double pair_trim = 0.1;
/// Two-sided level of PairJudgement::trimmed.
inline constexpr double trimmed_level = 0.95;
/// Fewer pairs are never called equivalent: the t quantile would depend on a handful of values being normal.
inline constexpr std::size_t fewest_pairs = 6;

/// alpha * alpha_share / m.
double alpha_per_case(const PairOptions& options);

/// Everything in a PairJudgement but the call, the reasons that go with it, smallest_detectable and more_pairs.
PairJudgement gather_evidence(std::span<const double> differences, const PairOptions& options);

/// PairJudgement::smallest_detectable of a test at so much alpha; none where these pairs cannot reach it.
std::optional<double> detectable_by(std::span<const double> differences, double alpha);

/// True when there are at least `fewest_pairs` and both one-sided 5 % tests place the change inside the margin.
bool pairs_equivalent(const PairJudgement& judgement, const PairOptions& options);

/// Fills more_pairs of an inconclusive judgement.
void estimate_more_pairs(PairJudgement& judgement, std::span<const double> differences, const PairOptions& options);

}  // namespace torchgate::stats
