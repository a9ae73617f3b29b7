// SPDX-License-Identifier: Apache-2.0
// What the pages of a site show: hosts with their histories, and what happened beside them: commits, releases, pins, waivers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/history.hpp"

namespace torchgate::reports {

struct SiteHost {
  std::string host_key;
  std::size_t runs = 0;
  std::string newest;              ///< time of its newest run, UTC
  std::vector<History> histories;  ///< judged, by case name
};

/// An accepted slow-down, or an accepted missing case.
struct SiteWaiver {
  std::string case_name;
  std::string metric;
  std::string commit;             ///< for which it was accepted; empty: not known
  std::string from;               ///< day of that commit, "2026-11-30"; empty: not known
  std::string expires;            ///< the last day on which it holds, "2027-01-31"
  std::optional<double> ceiling;  ///< largest accepted slow-down, 0.12 = 12 % worse; absent: it accepts a missing case
  std::string reason;
  bool one_commit = false;                ///< of `/perf accept`: it accepts the changes at `changes_at` only
  std::set<std::string> changes_at = {};  ///< commits of the first runs of the slow-downs with which `commit` came
};

/// As its author wrote it: untrusted text.
struct SiteCommit {
  std::string day;  ///< "2026-11-22"
  std::string author;
  std::string subject;
};

/// Commits that a SiteRange lists: of more, their number is the answer.
inline constexpr std::size_t most_range_commits = 4;

/// The commits after one commit and up to another.
struct SiteRange {
  std::vector<std::string> commits;  ///< full hashes, newest first, at most most_range_commits of them
  std::int64_t count = 0;            ///< 0: the second commit is not after the first
  bool has_more = false;             ///< there are more than `count`
};

struct Site {
  std::string store;
  std::vector<SiteHost> hosts;
  std::map<std::string, std::string> releases;   ///< tag by commit
  std::multimap<std::string, std::string> pins;  ///< name of a pin by commit
  std::vector<SiteWaiver> waivers;
  std::map<std::string, SiteCommit> commits;                        ///< by full hash; those known here
  std::map<std::pair<std::string, std::string>, SiteRange> ranges;  ///< by the commits before and after
  std::string commit_address;   ///< followed by a hash, the page of that commit; empty: not known
  std::string compare_address;  ///< followed by "HASH...HASH", the page of both; empty: not known
};

}  // namespace torchgate::reports
