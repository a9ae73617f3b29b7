// SPDX-License-Identifier: Apache-2.0
// What a case comes to.
#pragma once

#include <string>

namespace torchgate::reports {

/// What is known about one (case, metric). Meanings and defaults: README "Verdicts".
/// In order of severity: a report lists the worst first.
enum class Verdict {
  failed,
  wrong,
  missing,
  not_comparable,  ///< measured on both sides, but not in the same way, or without usable numbers in the baseline
  regressed,
  over_budget,  ///< above an absolute limit of the policy, whatever the baseline is
  suspected,
  layout,  ///< its time moved, and all functions that it executes are the same: other addresses of code or data
  claim_broken,
  changed,
  inconclusive,
  improved,
  equivalent,
  unchanged,  ///< not measured: what it runs and reads has the same content as in the baseline
  new_case,
  skipped
};

/// Measured on both sides, and not decided.
constexpr bool is_undecided(Verdict verdict) {
  return verdict == Verdict::inconclusive || verdict == Verdict::suspected;
}

/// As in the JSON report: "not_comparable".
const char* to_string(Verdict verdict);
/// "not comparable".
std::string verdict_words(Verdict verdict);

}  // namespace torchgate::reports
