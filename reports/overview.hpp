// SPDX-License-Identifier: Apache-2.0
// What a reader has to see first: which findings matter, in which order, and how many of the rest there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// Doubts on the first screen; a format counts the others, and says where they are.
inline constexpr std::size_t doubts_shown = 3;

/// Findings of one verdict that need no attention. Pointers are into the report.
struct Group {
  Verdict verdict = Verdict::equivalent;
  std::vector<const Finding*> findings;
  std::int64_t cases = 0;  ///< whose time, or whose only finding, is among them; 0: further metrics alone
};

struct Overview {
  /// What fails, warns or changed: what fails the build first, then by verdict, then by size of the change.
  std::vector<const Finding*> listed;
  /// What got better and neither fails nor warns, in the same order.
  std::vector<const Finding*> improved;
  /// Everything else by verdict, in the order of Verdict; case names in the order of the report.
  std::vector<Group> rest;
  /// Broken ones first, then undecided, not measured, kept; those that fail the build before the others.
  std::vector<const ClaimFinding*> claims;
};

Overview overview_of(const Report& report);

/// One run on its own: there is nothing that it could be compared with.
bool is_of_one_run(const Report& report);

/// A time that is faster than a stored baseline, which no pairs confirmed.
bool is_faster_unconfirmed(const Finding& finding);

/// How many different cases the findings are about.
std::int64_t cases_in(const std::vector<const Finding*>& findings);

/// Whether only counts were judged: two of them are the same or not, and no margin is between them.
bool judged_by_counts(const Report& report);

/// The verdict as words in a sentence: "claim broken", "within ±5 %", "new"; of counts alone "same counts".
std::string verdict_words(Verdict verdict, const Report& report, const Format& format);
/// The same of one finding, with its evidence where that is not its time: "regressed (counted)".
std::string verdict_words(const Finding& finding, const Report& report, const Format& format);

/// "37 cases within ±5 % (with 74 further metrics)".
std::string group_words(const Group& group, const Report& report, const Format& format);

/// "1 regressed (fails), 2 suspected (warn), 37 cases within ±5 %": everything that was found, worst first.
std::string tally(const Report& report, const Format& format);

/// "PASS", "PASS (weak)", "FAIL", "NO VERDICT". Weak: the policy lets less than half decided pass (gate.min_decided).
std::string outcome_word(const Report& report);
std::string outcome_word(Outcome outcome, bool weak);
/// A pass that is shown in green and with a tick: a weak one is not.
bool is_clear_pass(const Report& report);
/// The headline of the report, or the tally when the report has none.
std::string headline_of(const Report& report, const Format& format);

}  // namespace torchgate::reports
