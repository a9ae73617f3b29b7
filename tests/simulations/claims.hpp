// SPDX-License-Identifier: Apache-2.0
// The claims of a run, judged by the program and in three other ways: how often an unbroken one is called broken, and how
// many are decided. The log ratios are simulated, with SDs as recorded or by the profiles; or they are recorded ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "stats/moderated_variance.hpp"
#include "tests/simulations/bars.hpp"

namespace torchgate::simulations {

inline constexpr std::size_t claim_processes = 5;
using LogRatios = std::array<double, claim_processes>;

/// alpha / claims each, as the program did before; Holm over all claims; variances moderated over the claims, Holm over
/// those beyond their promise; the same, where that at most halves the p of the claim's own variance; the program's own.
enum class ClaimRule { shared, holm, moderated, guarded, program };
inline constexpr std::array claim_rules{ClaimRule::shared, ClaimRule::holm, ClaimRule::moderated, ClaimRule::guarded,
                                        ClaimRule::program};

/// Variance of each claim's log ratios, with its degrees of freedom.
std::vector<stats::Variance> variances_of(std::span<const LogRatios> claims);

struct ClaimCalls {
  std::vector<bool> broken;
  std::vector<bool> holds;
};
/// Of log ratios minus the log of the promise.
ClaimCalls call_claims(ClaimRule rule, std::span<const LogRatios> beyond);

/// Numbers of claims of a run: the suites of this repository before and after they cover most optimisations, and between.
inline constexpr std::array numbers_of_claims{std::size_t{27}, std::size_t{60}, std::size_t{150}};

/// How far a claim's true ratio is from its promise, as a share of it.
inline constexpr std::array slacks{0.10, 0.20, 0.33};

/// What one rule called in many runs. "Close": 5 % better than promised.
struct ClaimTally {
  std::size_t all_at_promise = 0;    ///< runs with a false `broken`, all claims exactly as promised
  std::size_t three_at_promise = 0;  ///< the same, three claims exactly as promised and the others a third better
  std::size_t all_close = 0;         ///< the same, all claims 5 % better than promised
  std::size_t held_at_promise = 0;   ///< claims exactly as promised that are called `holds`
  std::array<std::size_t, slacks.size()> found{};  ///< of three broken ones, the others a third better
  std::array<std::size_t, slacks.size()> held{};   ///< of all, better than promised by the slack
};

struct ClaimStudy {
  std::string noise;
  std::size_t claims = 0;
  double prior_df = 0.0;  ///< median over the runs of what the moderation estimates
  std::size_t runs = 0;
  std::size_t power_runs = 0;  ///< of `found` and `held`
  bool normal = true;          ///< each ratio is a normal value: `broken` must keep its level
  std::array<ClaimTally, claim_rules.size()> tallies;
};

std::vector<ClaimStudy> study_claims(std::size_t runs, std::uint64_t seed);
void print_claims(std::ostream& out, const std::vector<ClaimStudy>& studies);
std::vector<BarResult> bars_of(const std::vector<ClaimStudy>& studies);

/// Claims of recorded runs (tests/fixtures/stats/claim_ratios.csv): their SDs, and what each rule decides.
void print_recorded_claims(std::ostream& out, const std::filesystem::path& table);

}  // namespace torchgate::simulations
