// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/report_histories.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/git/repository.hpp"
#include "ci/history/points.hpp"
#include "ci/workflow/site/commit_order.hpp"
#include "harness/base/creation_time.hpp"
#include "reports/overview.hpp"

namespace torchgate::workflow {
namespace {

std::set<std::string_view> drawn_cases(const reports::Report& report) {
  std::set<std::string_view> cases;
  const reports::Overview overview = reports::overview_of(report);
  for (const auto* const findings : {&overview.listed, &overview.improved}) {
    for (const reports::Finding* finding : *findings) {
      if (cases.size() == most_drawn_histories) return cases;
      if (finding->metric.primary) cases.insert(finding->case_name);
    }
  }
  return cases;
}

}  // namespace

void add_histories(reports::Report& report, const std::string& store_path, double smallest_change) {
  const std::set<std::string_view> cases = drawn_cases(report);
  if (cases.empty() || report.after.host_key.empty()) return;
  const auto store = baselines::open_store(store_path, baselines::OpenMode::existing);
  if (!store) return;
  const auto entries = (*store)->list({report.after.host_key});
  if (!entries) return;
  std::vector<const baselines::Entry*> kept;
  for (const baselines::Entry& entry : *entries) {
    if (entry.commit && !base::is_from_the_future(entry.created)) kept.push_back(&entry);
  }
  if (kept.size() > most_drawn_runs)
    kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(most_drawn_runs));
  std::vector<history::RunPoints> runs;
  for (const baselines::Entry* entry : kept) {
    const auto run = (*store)->load(entry->id);
    if (!run) continue;
    runs.push_back(history::points_of(*run));
    std::erase_if(runs.back().cases,
                  [&](const history::CasePoint& point) { return !cases.contains(point.series->case_name); });
  }
  std::vector<const history::RunPoints*> points;
  points.reserve(runs.size());
  for (const history::RunPoints& run : runs) points.push_back(&run);
  if (const auto repository = git::Repository::open(".")) points = in_commit_order(points, *repository);
  history::SeriesOptions options;
  options.store = (*store)->location();
  options.smallest_change = smallest_change;
  report.histories = history::histories_of(points, options);
}

}  // namespace torchgate::workflow
