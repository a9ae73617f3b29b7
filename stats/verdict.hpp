// SPDX-License-Identifier: Apache-2.0
// What:    the words a judgement is made of: the call, and the reasons that go with it.
// Assumes: values are oriented so that larger is worse (times as they are; rates with their logarithm negated).
// Source:  the verdict table of the design; the gate adds the verdicts that need no numbers (failed, missing, new,
// ...). Checked: tests/stats/verdict_test.cpp
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace torchgate::stats {

/// What the numbers of one case say.
enum class Call : std::uint8_t {
  regressed,     ///< confirmed slower: significant, and at least the margin
  suspected,     ///< a stored baseline flags it as slower; nobody confirmed it
  improved,      ///< the mirror image of regressed
  equivalent,    ///< the interval of the change lies inside the equivalence margin
  inconclusive,  ///< none of these
  changed,       ///< a count differs
};

/// Why a call is what it is, or why it is not stronger. In order of weight: what forbids a verdict comes first.
enum class Reason : std::uint8_t {
  no_values,                ///< a side has no values at all
  not_finite,               ///< a value is NaN or infinite
  not_positive,             ///< a value is zero or negative, and a ratio needs its logarithm
  out_of_range,             ///< values so large or so far apart that a double cannot hold their variance
  unequal_lengths,          ///< values that belong together in pairs, but the two sides have different counts
  one_sample,               ///< fewer than two values on a side: no variance
  one_process,              ///< one process on a side: no between-process variance
  too_few_processes,        ///< fewer processes than the test needs
  too_few_runs,             ///< fewer stored runs than a history needs
  too_few_pairs,            ///< even the clearest result at this number of pairs could not reach the required p
  no_spread,                ///< the values do not vary; the answer rests on that
  few_baseline_runs,        ///< fewer than five stored runs: the run-to-run variance is the machine's, not the case's
  not_significant,          ///< p is above the limit
  below_margin,             ///< significant, but smaller than the margin that matters
  effect_size_small,        ///< significant, but Cohen's d is below the rule's limit
  improvement_unconfirmed,  ///< a stored baseline sees a speed-up; nobody confirmed it
  no_harm,                  ///< measuring stopped early: harm beyond the limit is excluded
  pairs_exhausted,          ///< the last pair was measured and the answer is still open
};

/// Stable identifier, as it stands in machine-readable reports: "regressed", "one_process".
std::string_view to_string(Call call);
std::string_view to_string(Reason reason);
/// One sentence for a person, without a full stop and without numbers (those are in the result beside it).
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
