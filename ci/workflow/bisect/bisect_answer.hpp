// SPDX-License-Identifier: Apache-2.0
// What a bisection comes to, as text and as JSON (schema torchgate.bisect/1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/git/commit_list.hpp"
#include "reports/report.hpp"

namespace torchgate::workflow {

/// A case of an answer: what the pairs of the commit and its parent show, or, without a commit, those of both ends.
struct BisectedCase {
  std::string name;
  std::string verdict;           ///< as in reports: "regressed"
  std::optional<double> change;  ///< relative: after / before - 1
  std::optional<reports::Interval> interval;
  std::vector<std::string> causes;  ///< functions and operators that changed, as far as the pairs know them
  std::vector<std::string> reasons;
  bool slower = false;  ///< regressed, or of another layout and slower; follows from the others, not in the JSON
  /// The slower end of the interval, as a log difference (larger is worse); not in the JSON.
  std::optional<double> at_most = {};
};

enum class BisectEnd : std::uint8_t {
  found,  ///< `commit` changed the cases, and its pairs with its parent confirm it
  unconfirmed,  ///< the bisection ended at `commit`, and its pairs with its parent do not confirm it, or (no `run`) there are none
  range,      ///< one of `candidates`: all that are left to test were skipped
  no_change,  ///< the bad commit is not slower today
  undecided  ///< the pairs of both ends show neither a slow-down nor its absence; with `commit`: what that one does not explain
};

struct BisectFinding {
  BisectEnd end = BisectEnd::undecided;
  std::vector<BisectedCase> cases;
  std::optional<git::ListedCommit> commit;  ///< its date is that of the author
  std::string parent;                       ///< full hash; empty: none was compared
  std::string run;                          ///< id of the pairs
  std::vector<git::ListedCommit> candidates;
  std::vector<std::string>
      between;  ///< of a range: those of `candidates` that were measured, and are on neither side of the change; not in the JSON, where the cases have a reason
};

struct BisectResult {
  std::string good;  ///< full hashes
  std::string bad;
  std::vector<BisectFinding> findings;
  std::vector<std::string>
      notes;  ///< what differs between the stored runs, cases that were left out, commits that were skipped
  std::int64_t steps = 0;      ///< commits that were tested
  std::int64_t identical = 0;  ///< of those: builds that are the same as a judged one
  std::int64_t skipped = 0;    ///< of those
  std::int64_t pairs = 0;      ///< measured, those of the ends and of the last check, too
  double seconds = 0;          ///< in all, also before an interruption

  /// Each case has a commit that its pairs confirm.
  [[nodiscard]] bool decided() const;
};

/// For a terminal or a log, with a line break at its end. Subjects and names are untrusted; line breaks in them become spaces.
std::string bisect_text(const BisectResult& result);
std::string bisect_json(const BisectResult& result);

}  // namespace torchgate::workflow
