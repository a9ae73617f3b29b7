// SPDX-License-Identifier: Apache-2.0
// Definitions of the terms in a report, for a reader who has never seen one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// What a verdict says, in one sentence.
struct VerdictMeaning {
  Verdict verdict;
  const char* meaning;
};

/// All verdicts, in order of severity.
std::span<const VerdictMeaning> verdict_meanings();

struct Term {
  std::string word;
  std::string meaning;
  bool qualifies = false;  ///< in this report the word says less than it usually does
};

/// What stands in the columns and details of a report.
std::vector<Term> terms_of_numbers();

/// The terms that printing these findings of the report uses; those of the details and the textbook rule where they are
/// printed or decide.
std::vector<Term> terms_used(const std::vector<const Finding*>& findings, const Report& report, bool details_shown,
                             const Format& format);

}  // namespace torchgate::reports
