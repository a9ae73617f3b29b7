// SPDX-License-Identifier: Apache-2.0
// Counts the calls of every rule on many simulated pull requests, at every size of change.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/simulations/pull_request.hpp"
#include "tests/simulations/rules.hpp"

namespace torchgate::simulations {

/// Sizes of the change in the ten changed cases, as shares of the old time.
inline constexpr std::array effects{0.0, 0.01, 0.02, 0.05, 0.10, -0.05};
inline constexpr std::size_t no_effect = 0;
inline constexpr std::size_t two_percent = 2;
inline constexpr std::size_t five_percent = 3;
inline constexpr std::size_t ten_percent = 4;
inline constexpr std::size_t five_percent_faster = 5;

struct Tally {
  std::size_t requests = 0;
  std::size_t requests_alarmed = 0;  ///< with at least one unchanged case called slower
  std::size_t requests_misled = 0;   ///< with at least one unchanged case called slower or faster
  std::size_t unchanged = 0;
  std::size_t alarms = 0;          ///< unchanged cases called slower
  std::size_t unchanged_same = 0;  ///< unchanged cases called equivalent
  std::size_t decided = 0;         ///< cases, changed or not, with any answer
  std::size_t changed = 0;
  std::size_t found = 0;         ///< changed cases called slower, or faster where they are
  std::size_t changed_same = 0;  ///< changed cases called equivalent
  std::size_t suspects = 0;
  std::size_t pairs = 0;  ///< of suspects and probes
  std::size_t open_cases = 0;
  std::size_t open_pairs = 0;
};

/// Adds the answers for one pull request, whose changed cases are slower by this share.
void count(const RuleAnswers& said, const PullRequest& request, double effect, Tally& tally);

using RuleTallies = std::array<Tally, effects.size()>;  ///< one per size of change

struct Evaluation {
  Setting setting;
  std::span<const Rule> rules;
  std::vector<RuleTallies> tallies;  ///< in the order of `rules`
};

/// Pull requests in groups that share a machine, `requests_per_seed` each but for the last. Seeds count from `seed`.
Evaluation evaluate(const Setting& setting, std::size_t requests, std::uint64_t seed,
                    std::span<const Rule> rules = all_rules());

const RuleTallies& tallies_of(const Evaluation& evaluation, std::string_view rule);

/// "ci, processes round robin".
std::string describe(const Setting& setting);

}  // namespace torchgate::simulations
