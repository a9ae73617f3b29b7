// SPDX-License-Identifier: Apache-2.0
// What became slower or faster in the last days of a store, and whether it still is: the first page of a site.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/site/site_marks.hpp"
#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// Days before the newest run of a site whose changes are on its first page. Not before today: the same store has the same pages.
inline constexpr int recent_days = 30;

/// In the order of importance.
enum class ChangeState {
  holds,  ///< the newest level is still on the same side of the level before the change, by the smallest change or more
  accepted,  ///< the same, of a slow-down that a waiver accepts
  recovered  ///< it is not
};

struct ChangeNow {
  ChangeState state = ChangeState::holds;
  std::string day;          ///< recovered, and not gradually: since when; else that of the newest run of the case
  bool gradually = false;   ///< recovered inside a level, without another change
  double change = 0;        ///< newest level / level before the change - 1
  std::string accepted_by;  ///< accepted: the waiver with its reason (untrusted)
  std::string pin;          ///< "pin v1.1": the first one that includes a slow-down which is not recovered
};

/// Of the runs since the last change, the newest 60 at most: their median without outliers, in the metric's unit. It is not what the newest run took. The search for changes looks at as
/// many runs at once, so these have one level as far as it can tell. Not a number: there is no such run, or it has no logarithm.
double newest_level(const History& history);

/// Of HISTORY.changes[CHANGE], whose marks and waivers are MARKS. TODAY, "2026-03-01": whether a waiver holds. REQUIRES: that change, and
/// each change at a run that exists.
ChangeNow change_now(const History& history, std::size_t change, const SiteMarks& marks, std::string_view today);

struct RecentChange {
  const SiteHost* host = nullptr;
  const History* history = nullptr;
  std::size_t change = 0;  ///< index in history->changes
  ChangeNow now;
};

/// A case with an alert for its newest run (newest_runs()): a slow-down that is too new or too small to be a level change, or noise.
struct WorseNow {
  const SiteHost* host = nullptr;
  const History* history = nullptr;
};

struct RecentChanges {
  std::string today;  ///< day of the newest run of the site; empty: it has none
  /// By state; then what is larger now (what recovered: what was larger).
  std::vector<RecentChange> slower;
  std::vector<RecentChange> faster;
  /// Cases with a change in `slower`, by the most important state of these.
  std::array<std::size_t, 3> slower_cases = {};
  std::size_t cases = 0;
  std::size_t not_judged = 0;       ///< of these, the ones with too few runs
  std::vector<WorseNow> worse_now;  ///< in those days, the worst first
};

/// The day of the newest run of SITE, "2026-03-01"; empty: it has none.
std::string newest_day(const Site& site);

/// Pointers are into SITE.
RecentChanges recent_changes(const Site& site);

/// Whether all changes of HISTORY are at runs that exist, and have one before them.
bool has_valid_changes(const History& history);

}  // namespace torchgate::reports
