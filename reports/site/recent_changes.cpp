// SPDX-License-Identifier: Apache-2.0
#include "reports/site/recent_changes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/timestamp.hpp"
#include "reports/time_scale.hpp"
#include "stats/level_interval.hpp"
#include "stats/quantile.hpp"

namespace torchgate::reports {
namespace {

constexpr std::int64_t window_seconds = std::int64_t{recent_days} * 86400;
constexpr std::size_t day_of_time = 10;    // digits of "2026-03-01"
constexpr double rounding_of_logs = 1e-9;  // levels are exponentials of what was compared

/// Whether LEVEL is on the side of the level before CHANGE to which it moved, by the smallest change or more.
bool is_still_changed(const History& history, const HistoryChange& change, double level) {
  const double moved = std::log(level / change.before) * (change.after > change.before ? 1 : -1);
  if (!std::isfinite(moved)) return true;
  return moved > 0 && moved >= std::log1p(history.smallest_change) - rounding_of_logs;
}

double level_at(const History& history, std::size_t run) {
  double level = history.changes.front().before;
  for (const HistoryChange& change : history.changes) {
    if (change.run <= run) level = change.after;
  }
  return level;
}

std::string accepting_waiver(const History& history, const HistoryChange& change, double level, const SiteMarks& marks,
                             std::string_view today) {
  const bool lower_is_better = history.metric.direction == record::Direction::lower_is_better;
  const double slow_down = (lower_is_better ? level / change.before : change.before / level) - 1;
  const auto now = seconds_of_day(today);
  for (const WaiverTime& time : marks.waivers) {
    const auto& commit = history.runs[change.run].commit;
    if (time.waiver->one_commit && !(commit && time.waiver->changes_at.contains(*commit))) continue;
    const auto& ceiling = time.waiver->ceiling;
    if (ceiling && now && time.holds_on(*now) && slow_down <= *ceiling + rounding_of_logs)
      return waiver_words(*time.waiver);
  }
  return {};
}

/// The first pin of the level that the change led to, or of a later one that is still as bad. A pin accepts nothing: changes are measured from it.
std::string including_pin(const History& history, const HistoryChange& change, const SiteMarks& marks) {
  for (const HistoryMark& mark : marks.marks) {
    if (mark.kind == HistoryMarkKind::pin && mark.run >= change.run &&
        is_still_changed(history, change, level_at(history, mark.run)))
      return mark.text;
  }
  return {};
}

double size_of_change(const RecentChange& recent) {
  const double change =
      recent.now.state == ChangeState::recovered ? recent.history->changes[recent.change].change : recent.now.change;
  const double size = std::abs(std::log1p(std::max(change, -0.999)));
  return std::isfinite(size) ? size : 0;  // of two that are not numbers, neither is first
}

void most_important_first(std::vector<RecentChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const RecentChange& a, const RecentChange& b) {
    return std::tuple(a.now.state, -size_of_change(a)) < std::tuple(b.now.state, -size_of_change(b));
  });
}

std::string newest_time(const Site& site) {
  std::string newest;
  for (const SiteHost& host : site.hosts) newest = std::max(newest, host.newest);
  return newest;
}

std::optional<std::int64_t> seconds_at(const std::string& utc) {
  const auto time = base::utc_seconds(utc);
  return time ? std::optional<std::int64_t>(time->time_since_epoch().count()) : std::nullopt;
}

bool has_run_since(const History& history, std::int64_t start) {
  const auto at = history.runs.empty() ? std::nullopt : seconds_at(history.runs.back().created);
  return at && *at >= start;
}

/// Adds what changed in HISTORY from START on.
void add_recent(RecentChanges& found, const SiteHost& host, const History& history, const Site& site,
                std::int64_t start) {
  if (newest_runs(history) != NewestRuns::quiet && has_run_since(history, start))
    found.worse_now.push_back({&host, &history});
  if (!has_valid_changes(history)) return;
  std::optional<SiteMarks> marks;  // of the few cases that need them
  for (std::size_t i = 0; i < history.changes.size(); ++i) {
    const auto at = seconds_at(history.runs[history.changes[i].run].created);
    if (!at || *at < start) continue;
    if (!marks) marks = site_marks(history, site);
    RecentChange recent{&host, &history, i, change_now(history, i, *marks, found.today)};
    (history.changes[i].worse ? found.slower : found.faster).push_back(std::move(recent));
  }
}

}  // namespace

bool has_valid_changes(const History& history) {
  return std::all_of(history.changes.begin(), history.changes.end(),
                     [&](const HistoryChange& change) { return change.run > 0 && change.run < history.runs.size(); });
}

double newest_level(const History& history) {
  const auto& runs = history.runs;
  const std::size_t first = history.changes.empty() ? 0 : history.changes.back().run;
  std::vector<double> logs;
  for (std::size_t i = runs.size(); i-- > first && logs.size() < stats::level_interval_runs;) {
    if (!runs[i].outlier) logs.push_back(std::log(runs[i].value));
  }
  const auto level = stats::median(logs);
  return level ? std::exp(*level) : std::nan("");
}

ChangeNow change_now(const History& history, std::size_t change, const SiteMarks& marks, std::string_view today) {
  const HistoryChange& changed = history.changes[change];
  const double level = newest_level(history);
  ChangeNow now;
  now.change = level / changed.before - 1;
  if (is_still_changed(history, changed, level)) {
    now.day = day_of(history.runs.back());
    if (changed.worse) {
      now.accepted_by = accepting_waiver(history, changed, level, marks, today);
      now.pin = including_pin(history, changed, marks);
    }
    if (!now.accepted_by.empty()) now.state = ChangeState::accepted;
    return now;
  }
  now.state = ChangeState::recovered;
  now.gradually = is_still_changed(history, changed, history.changes.back().after);
  if (now.gradually) {
    now.day = day_of(history.runs.back());
    return now;
  }
  std::size_t back = history.changes.size() - 1;
  while (back > change + 1 && !is_still_changed(history, changed, history.changes[back - 1].after)) --back;
  now.day = day_of(history.runs[history.changes[back].run]);
  return now;
}

std::string newest_day(const Site& site) {
  return newest_time(site).substr(0, day_of_time);
}

RecentChanges recent_changes(const Site& site) {
  RecentChanges found;
  found.today = newest_day(site);
  const auto end = seconds_at(newest_time(site));
  for (const SiteHost& host : site.hosts) {
    for (const History& history : host.histories) {
      ++found.cases;
      if (!history.judged) ++found.not_judged;
      if (end) add_recent(found, host, history, site, *end - window_seconds);
    }
  }
  most_important_first(found.slower);
  most_important_first(found.faster);
  std::stable_sort(found.worse_now.begin(), found.worse_now.end(), [](const WorseNow& a, const WorseNow& b) {
    return a.history->runs.back().watch->sds_above > b.history->runs.back().watch->sds_above;
  });
  std::set<const History*> counted_cases;
  for (const RecentChange& recent : found.slower) {
    if (counted_cases.insert(recent.history).second) ++found.slower_cases[static_cast<std::size_t>(recent.now.state)];
  }
  return found;
}

}  // namespace torchgate::reports
