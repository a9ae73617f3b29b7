// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/site_models.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "reports/time_scale.hpp"

namespace torchgate::reports::models {
namespace {

constexpr double site_level = 200'000;
constexpr std::int64_t site_day = 86400;

void measure_once_in_three_days(History& history, std::size_t until) {
  std::size_t i = 0;
  std::erase_if(history.runs, [&](const HistoryRun&) {
    const std::size_t day = i++;
    return day < until && day % 3 != 0;
  });
}

}  // namespace

std::string site_time(std::size_t days) {
  return day_of(*seconds_of_day("2026-01-01") + static_cast<std::int64_t>(days) * site_day) + "T03:15:00.000Z";
}

std::string site_commit(std::size_t day) {
  char text[64];
  std::snprintf(text, sizeof text, "%012zx%028zx", 0x9d2c3b4a5968 + day * 0x1010101, day);
  return text;
}

History stepped_history(const std::string& case_name, const std::vector<LevelStep>& steps, std::size_t runs) {
  History history;
  history.case_name = case_name;
  history.metric = {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  history.host_key = "x86_64-xeon-2cpu-31df0b06";
  history.store = ".torchgate/store";
  history.alpha = 0.001;
  history.smallest_change = 0.01;
  history.judged = true;
  double level = site_level;
  for (const LevelStep& step : steps) {
    HistoryChange change;
    change.run = step.run;
    change.before = level;
    change.after = level * step.factor;
    change.change = step.factor - 1;
    change.worse = step.factor > 1;
    change.p = 0.00005;
    change.interval = stats::Interval{step.factor - 1.01, step.factor - 0.99, 0.99};
    history.changes.push_back(change);
    level = change.after;
  }
  for (std::size_t i = 0; i < runs; ++i) {
    HistoryRun run;
    run.run_id = "run-" + std::to_string(i);
    run.created = site_time(i);
    run.commit = site_commit(i);
    run.value = site_level * (1 + 0.002 * (static_cast<double>(i * 7 % 5) - 2));
    for (const LevelStep& step : steps) run.value *= i < step.run ? 1 : step.factor;
    run.processes = 5;
    history.runs.push_back(std::move(run));
  }
  return history;
}

History slow_recovery(std::size_t recovered_at) {
  constexpr std::size_t slower_at = 40;
  History history = stepped_history("a/b", {{slower_at, 1.2}}, 200);
  for (std::size_t i = slower_at; i < history.runs.size(); ++i) {
    const double share = static_cast<double>(i - slower_at) / static_cast<double>(recovered_at - slower_at);
    history.runs[i].value *= 1 - (1 - 1 / 1.2) * std::min(1.0, share);
  }
  return history;
}

Site site_with(std::vector<History> histories) {
  Site site;
  site.store = ".torchgate/store";
  SiteHost host;
  host.host_key = "x86_64-xeon-2cpu-31df0b06";
  for (const History& history : histories) {
    host.runs = std::max(host.runs, history.runs.size());
    if (!history.runs.empty()) host.newest = std::max(host.newest, history.runs.back().created);
  }
  host.histories = std::move(histories);
  site.hosts.push_back(std::move(host));
  return site;
}

Site example_site() {
  History slower = stepped_history("fusion/gelu/fused/elements:50000", {{12, 0.97}, {48, 1.2}});
  slower.versions = {{0, "LibTorch", "2.4.0", ""}, {0, "torchgate", "0.1.0", ""}, {30, "LibTorch", "2.5.0", "2.4.0"}};
  History recovered = stepped_history("fusion/conv_bn/folded/batch:8", {{40, 1.12}, {50, 1 / 1.12}});
  History accepted = stepped_history("models/gpt2/eager/tokens:1", {{45, 1.15}});
  accepted.metric = {"requests", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, true};
  accepted.changes = {{45, 5000, 4348, 1 / 1.15 - 1, true, 0.00005, {}, stats::Interval{-0.14, -0.12, 0.99}}};
  for (HistoryRun& run : accepted.runs) run.value = 1e9 / run.value;
  const History pinned = stepped_history("models/resnet/eager/batch:1", {{36, 1.08}});
  History faster = stepped_history("ops/copy/strided/bytes:4096", {});
  // Not one run a day: on a true axis its first half has a third of the points.
  measure_once_in_three_days(faster, 30);
  faster.changes = {{32, 200'000, 180'000, -0.1, false, 0.00005, {}, {}}};
  for (std::size_t i = 32; i < faster.runs.size(); ++i) faster.runs[i].value *= 0.9;
  History young = stepped_history("ops/add/contiguous/elements:1024", {}, 5);
  young.judged = false;
  young.reasons = {"A level change needs at least 8 runs, four on each side."};
  Site site = site_with({recovered, slower, accepted, pinned, young, faster});
  site.releases = {{site_commit(20), "v1.0"}};
  site.pins = {{site_commit(41), "v1.1"}};
  site.waivers = {{"models/gpt2/eager/tokens:1", "requests", site_commit(45), "2026-02-14", "2026-12-31", 0.2,
                   "exact softmax instead of the <approximate> one"}};
  site.commits = {{site_commit(48), {"2026-02-17", "Ann B", "Use the general kernel for all sizes"}},
                  {site_commit(1000), {"2026-02-17", "Carl D", "Remove the table of sizes"}},
                  {site_commit(36), {"2026-02-05", "Ann B", "Check the strides"}}};
  SiteRange range;
  range.commits = {site_commit(48), site_commit(1000)};
  range.count = 12;
  site.ranges = {{{site_commit(47), site_commit(48)}, range}};
  site.commit_address = "https://github.com/example/project/commit/";
  site.compare_address = "https://github.com/example/project/compare/";
  return site;
}

Site quiet_site() {
  return site_with({stepped_history("ops/copy/strided/bytes:4096", {{10, 1.5}}),
                    stepped_history("ops/add/contiguous/elements:1024", {})});
}

Site hostile_site() {
  History history = stepped_history("evil/<script>alert(1)</script>/\"onload=\"x/\033[31mred", {{50, 1.2}});
  history.metric.unit = "<b>";
  history.runs[50].commit = "\"><script>";
  history.runs[51].created = "not a time";
  history.versions = {{7, "LibTorch", "<i>2</i>", "\"1\""}, {99, "LibTorch", "3", "2"}};
  History beyond = stepped_history("evil/beyond", {{70, 1.2}});
  Site site = site_with({history, beyond});
  site.hosts[0].host_key = "host\r\n<b>";
  site.pins = {{site_commit(55), "pin<b>"}};
  site.releases = {{site_commit(54), "v<b>"}};
  site.waivers = {{history.case_name, "time", "", "", "never", 0.5, "</li><script>"},
                  {history.case_name, "time", "", "", "2026-12-31", {}, "\"'><b>"}};
  site.commits = {{site_commit(49), {"<b>", "<b>", "</td><script>"}}};
  site.commit_address = "https://example.org/\"><b>/commit/";
  site.compare_address = "https://example.org/\"><b>/compare/";
  return site;
}

}  // namespace torchgate::reports::models
