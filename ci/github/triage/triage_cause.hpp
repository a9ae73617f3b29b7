// SPDX-License-Identifier: Apache-2.0
// The cause of regressions on the default branch: the commit at which cases moved together. It is kept in the text of its issue, so that
// later jobs, which share nothing else, find it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/git/commit_list.hpp"
#include "ci/github/comment/last_report.hpp"
#include "harness/base/result.hpp"
#include "harness/record/sampling.hpp"
#include "reports/report.hpp"

namespace torchgate::github {

/// What interleaved pairs said of a case: the commit before its cause against a later one.
struct PairsAnswer {
  std::string verdict;  ///< as in the JSON report
  std::optional<double> change;
  std::optional<reports::Interval> interval;
  std::string commit;  ///< the later one

  /// No slow-down is left: equivalent, improved or unchanged.
  [[nodiscard]] bool repaired() const;
  /// Slower than before the cause: regressed or suspected.
  [[nodiscard]] bool still_slower() const;
};

struct CauseCase {
  std::string name;
  std::string metric;
  std::string unit;
  bool lower_is_better = true;
  std::optional<double> before;
  std::optional<double> after;
  std::optional<double> change;
  std::optional<reports::Interval> interval;
  std::string why;                              ///< the first reason of its finding
  std::optional<PairsAnswer> pairs;             ///< the newest; absent: not measured again
  std::string host = {};                        ///< host key of the machine that measured it; empty: not known
  std::optional<std::string> base_commit = {};  ///< full hash of its baseline; absent: not known

  [[nodiscard]] bool is(std::string_view other_name, std::string_view other_metric) const {
    return name == other_name && metric == other_metric;
  }
  /// Pairs show no slow-down any more. An interval that still contains the known one shows nothing, although it may be equivalent.
  [[nodiscard]] bool repaired() const;
};

/// Names, reasons and commits are untrusted text.
struct Cause {
  std::string commit;                 ///< full hash: the measured commit
  std::optional<std::string> before;  ///< full hash: the baseline's; absent: not known
  std::string host;                   ///< host key
  /// After `before` and up to `commit`, newest first; not all of a long range. Empty: git did not know.
  std::vector<git::ListedCommit> commits;
  bool more_commits = false;
  std::vector<CauseCase> cases;    ///< slowest first
  std::int64_t unlisted = 0;       ///< further cases, for which an issue has no room
  std::string key = {};            ///< of the workflow that measured (verdict_key.hpp); empty: the default one
  record::Sampling sampling = {};  ///< of the newest run that measured them

  [[nodiscard]] const CauseCase* find(std::string_view name, std::string_view metric) const;
  /// Of all its cases, listed or not.
  [[nodiscard]] std::int64_t case_count() const { return static_cast<std::int64_t>(cases.size()) + unlisted; }
};

/// What an issue holds about its cases, of 60,000 bytes; the rest is text.
inline constexpr std::size_t most_cause_bytes = 28'000;

/// The regressed cases of a report that fail or warn, shortened; absent if there are none. bad_input: there are, and the report does not name a commit,
/// or the work tree was modified.
base::Result<std::optional<Cause>> cause_of(const SavedReport& report, const std::string& file);

/// KNOWN with the numbers of NEWER, of the same commit, shortened; cases of KNOWN that NEWER lacks stay (another machine measured them, maybe with
/// another baseline). Those that one of them does not list are taken to be the same.
Cause merged(const Cause& known, const Cause& newer);

/// CAUSE for each commit that its cases were compared with: its cases, and that commit as `before`.
std::vector<Cause> by_base_commit(const Cause& cause);

/// Long texts of commits are cut; newest commits and slowest cases first, and no more than an issue has room for.
void shorten(Cause& cause);

/// The cause as one line, an HTML comment that shows nothing; and from the text of an issue with such a line. bad_input: TEXT has none, or it was
/// edited (issues can be).
std::string cause_line(const Cause& cause);
base::Result<Cause> cause_in(const std::string& text);

/// What its issue is found by (issue_marker): the commit, and the key where there is one. Two workflows that measure one commit
/// have an issue each.
std::string issue_key(const Cause& cause);

/// How much slower: 0.1 is 10 %, for metrics of either direction.
double worse_by(const CauseCase& one);

}  // namespace torchgate::github
