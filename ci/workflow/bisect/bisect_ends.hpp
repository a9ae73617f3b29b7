// SPDX-License-Identifier: Apache-2.0
// What the pairs of two commits say about cases: those of both ends, and those of a commit with its parent.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/bisect/bisect_answer.hpp"
#include "ci/workflow/bisect/bisect_state.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::workflow {

/// The names of the cases that ASKED means: full names, or regular expressions that are searched in names. GOOD and BAD: the cases of both
/// ends, with the reason where one cannot run here. Nothing asked: all that both have. bad_input: a name that means none; a case that one of them
/// does not have, or cannot run.
base::Result<std::vector<std::string>> cases_of_both(const std::vector<std::string>& asked,
                                                     const std::map<std::string, std::string>& good,
                                                     const std::map<std::string, std::string>& bad);

/// What RUN, the pairs of both ends, shows.
struct EndsAnswer {
  std::vector<ChangedCase> changed;   ///< slower, and searched for
  std::vector<std::string> left_out;  ///< notes on the others
  BisectFinding finding;              ///< where none is slower: no_change or undecided
  std::size_t faster = 0;
  std::size_t cases = 0;

  [[nodiscard]] bool all_faster() const { return cases > 0 && faster == cases; }
};
EndsAnswer judge_ends(const record::Run& run, const reports::Report& report, const std::vector<std::string>& cases);

/// The primary metrics of CASES in REPORT, with what is known of why they changed.
std::vector<BisectedCase> cases_in(const reports::Report& report, const std::vector<std::string>& cases);

/// What FOUND, a commit that its pairs confirm, does not explain of the slow-down between the ends: cases that the commit made slower by less than
/// CHANGED says, by more than MARGIN (log) below the slower end of the interval. Absent: it explains all.
std::optional<BisectFinding> unexplained_part(const BisectFinding& found, const BisectState& state, double margin);

/// Of a range: fills in `between`, the cases, and which parts of the range to search where the slow-down may be in several commits.
void add_range_cases(const std::vector<std::string>& cases, const BisectState& state, BisectFinding& range);

/// What differs between the newest stored runs of the two commits, as notes: where both build the same speed today, one of these may be why
/// the stored times differ. Empty: nothing is known.
std::vector<std::string> stored_differences(const policy::Policy& policy, const std::string& good,
                                            const std::string& bad);

}  // namespace torchgate::workflow
