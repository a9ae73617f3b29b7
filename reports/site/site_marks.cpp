// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/base/timestamp.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/format.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

constexpr std::int64_t day_seconds = 86400;

/// Each commit at its first run: what is measured again is not released again.
void mark_commits(SiteMarks& found, const History& history, const Site& site) {
  std::set<std::string_view> marked;
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const auto& commit = history.runs[i].commit;
    if (!commit) continue;
    const auto release = site.releases.find(*commit);
    const auto [pin, end] = site.pins.equal_range(*commit);
    if ((release == site.releases.end() && pin == end) || !marked.insert(*commit).second) continue;
    if (release != site.releases.end())
      found.marks.push_back({i, HistoryMarkKind::release, "release " + release->second});
    for (auto each = pin; each != end; ++each) found.marks.push_back({i, HistoryMarkKind::pin, "pin " + each->second});
  }
}

void mark_versions(SiteMarks& found, const History& history) {
  for (const HistoryVersion& version : history.versions) {
    if (version.before.empty() || version.run >= history.runs.size()) continue;
    found.marks.push_back({version.run, HistoryMarkKind::version,
                           fmt::format("{} {} (before: {})", version.name, version.version, version.before)});
  }
}

std::optional<std::int64_t> start_of(const SiteWaiver& waiver, const History& history) {
  const auto run = std::find_if(history.runs.begin(), history.runs.end(), [&](const HistoryRun& each) {
    if (!each.commit) return false;
    if (waiver.one_commit) return waiver.changes_at.contains(*each.commit);
    return !waiver.commit.empty() && each.commit->starts_with(waiver.commit);
  });
  if (run == history.runs.end()) return waiver.one_commit ? std::nullopt : seconds_of_day(waiver.from);
  const auto time = base::utc_seconds(run->created);
  return time ? std::optional<std::int64_t>(time->time_since_epoch().count()) : std::nullopt;
}

}  // namespace

bool WaiverTime::holds_on(std::int64_t today) const {
  return until && today < *until;
}

std::vector<HistoryMark> SiteMarks::newest() const {
  return {marks.begin() + static_cast<std::ptrdiff_t>(older()), marks.end()};
}

SiteMarks site_marks(const History& history, const Site& site) {
  SiteMarks found;
  mark_commits(found, history, site);
  mark_versions(found, history);
  std::stable_sort(found.marks.begin(), found.marks.end(),
                   [](const HistoryMark& a, const HistoryMark& b) { return a.run < b.run; });
  for (const SiteWaiver& waiver : site.waivers) {
    if (waiver.case_name != history.case_name || waiver.metric != history.metric.name) continue;
    const auto last_day = seconds_of_day(waiver.expires);
    found.waivers.push_back(
        {&waiver, start_of(waiver, history), last_day ? std::optional(*last_day + day_seconds) : std::nullopt});
  }
  return found;
}

std::string waiver_words(const SiteWaiver& waiver) {
  const Format format;
  const std::string what =
      waiver.ceiling ? " of at most " + format.percent(*waiver.ceiling) : std::string(" of a missing case");
  const std::string where = waiver.one_commit ? ", for commit " + record::short_commit(waiver.commit) : std::string();
  return fmt::format("waiver until {}{}{}: {}", waiver.expires, what, where, waiver.reason);
}

std::vector<HistoryBand> waiver_bands(const std::vector<WaiverTime>& waivers) {
  std::vector<HistoryBand> bands;
  for (const WaiverTime& time : waivers) {
    // Of a commit that no change came with, as of a pull request that was squashed or never merged, there is nothing to draw.
    if (time.until && (time.from || !time.waiver->one_commit))
      bands.push_back({time.from, *time.until, waiver_words(*time.waiver)});
  }
  return bands;
}

}  // namespace torchgate::reports
