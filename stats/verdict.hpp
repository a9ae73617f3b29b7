// SPDX-License-Identifier: Apache-2.0
// What:    the vocabulary of a judgement: the call, and the reasons for it.
// Assumes: values are oriented so that larger is worse (times as they are; rates with their logarithm negated).
// Source:  stats/README.md, "The verdicts"; the gate adds the verdicts that need no numbers (failed, missing, new).
// Checked: tests/stats/verdict_test.cpp
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace torchgate::stats {

/// The result for one case, from its numbers alone.
enum class Call : std::uint8_t {
  regressed,     ///< confirmed slower: significant, and at least the margin
  suspected,     ///< slower than the stored baseline, not confirmed
  improved,      ///< the mirror image of regressed
  equivalent,    ///< both one-sided 5 % tests place the change inside the equivalence margin
  inconclusive,  ///< none of these
  changed,       ///< a count differs
};

/// The reason for a call, or for not making a stronger one. Reasons that prevent a verdict come first.
enum class Reason : std::uint8_t {
  no_values,                ///< a side has no values at all
  not_finite,               ///< a value is NaN or infinite
  not_positive,             ///< a value is zero or negative, and a ratio needs its logarithm
  out_of_range,             ///< values so large or so far apart that a double cannot hold their variance
  unequal_lengths,          ///< paired values, but the two sides have different counts
  one_sample,               ///< fewer than two values on a side: no variance
  one_process,              ///< one process on a side: no between-process variance
  too_few_processes,        ///< fewer processes than the test needs
  too_few_runs,             ///< fewer stored runs than a history needs
  too_few_pairs,            ///< even the clearest result at this number of pairs could not reach the required p
  no_spread,                ///< the values do not vary
  few_baseline_runs,        ///< fewer than five stored runs: the machine's run-to-run variance is used, not the case's
  not_significant,          ///< p is above the limit
  below_margin,             ///< significant, but smaller than the margin that matters
  effect_size_small,        ///< significant, but Cohen's d is below the rule's limit
  improvement_unconfirmed,  ///< faster than the stored baseline, not confirmed
  no_harm,                  ///< measuring stopped early: a slow-down beyond the harm limit is excluded
  pairs_exhausted,          ///< the last pair was measured and the case is still undecided
  measures_disagree,        ///< of pairs that took turns: the floor and the typical change say different things
};

/// Stable identifier, as written to machine-readable reports: "regressed", "one_process".
std::string_view to_string(Call call);
std::string_view to_string(Reason reason);
/// One sentence for a reader, without a full stop and without numbers (the result has those).
std::string_view describe(Reason reason);

/// A set of reasons, listed in the order of the enumeration. Costs no allocation, so that every result can carry one.
class Reasons {
 public:
  constexpr Reasons() = default;
  constexpr Reasons(std::initializer_list<Reason> reasons) {
    for (Reason reason : reasons) add(reason);
  }
  constexpr void add(Reason reason) { bits_ |= bit(reason); }
  constexpr void add(Reasons others) { bits_ |= others.bits_; }
  [[nodiscard]] constexpr bool contains(Reason reason) const { return (bits_ & bit(reason)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] std::vector<Reason> list() const;
  constexpr bool operator==(const Reasons&) const = default;

 private:
  static constexpr std::uint32_t bit(Reason reason) { return std::uint32_t{1} << static_cast<unsigned>(reason); }
  std::uint32_t bits_ = 0;
};

}  // namespace torchgate::stats
