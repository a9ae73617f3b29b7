// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/html_models.hpp"

#include <cmath>

#include "tests/reports/models.hpp"

namespace torchgate::reports::models {
namespace {

/// Bins of a sum of bells, as counts.
std::vector<std::int64_t> bells(double low, double high, const std::vector<double>& centres, double width) {
  std::vector<std::int64_t> bins(48);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double x = low + (high - low) * (static_cast<double>(i) + 0.5) / 48;
    double sum = 0;
    for (const double centre : centres) sum += std::exp(-(x - centre) * (x - centre) / (2 * width * width));
    bins[i] = std::llround(40 * sum);
  }
  return bins;
}

History history_of(const Finding& finding) {
  History history;
  history.case_name = finding.case_name;
  history.metric = finding.metric;
  history.judged = true;
  for (int i = 0; i < 60; ++i) {
    HistoryRun run;
    run.run_id = "r-" + std::to_string(i);
    run.created = std::string("2026-01-") + (i / 2 < 9 ? "0" : "") + std::to_string(i / 2 + 1) + "T0" +
                  std::to_string(i % 2) + ":00:00Z";
    run.commit = std::string(39, 'a') + static_cast<char>('0' + i % 10);
    run.value = finding.before->value * (i < 35 ? 0.93 : 1.0) * (1 + 0.006 * std::sin(i * 1.7));
    history.runs.push_back(run);
  }
  history.changes.push_back({35, finding.before->value * 0.93, finding.before->value, 0.075, true, 1e-6, 4});
  return history;
}

}  // namespace

Report with_drawings() {
  Report report = one_of_two_benchmarks();
  for (Finding& finding : report.findings) {
    if (!finding.before || !finding.after) continue;
    const double low = finding.before->value * 0.96;
    const double high = finding.after->value * 1.05;
    SampleShape shape;
    shape.low = low;
    shape.high = high;
    const double width = (high - low) / 24;
    shape.before = bells(low, high, {finding.before->value}, width);
    shape.after = finding.case_name == "BM_UFlat/10"
                      ? bells(low, high, {finding.after->value * 0.98, finding.after->value * 1.02}, width / 2)
                      : bells(low, high, {finding.after->value}, width);
    finding.shape = shape;
    if (finding.action == GateAction::fail) report.histories.push_back(history_of(finding));
  }
  report.differences = {{"compiler", "g++ 12.2.0", "g++ 13.1.0", false}, {"kernel", "6.1.0-18", "6.1.0-25", false}};
  report.claims = claims_broken().claims;
  for (SideHeader* const side : {&report.before, &report.after}) {
    side->checks = {
        {"governor", record::CheckAnswer::bad, record::CheckSeverity::warning, "powersave", "set it to performance"},
        {"turbo", record::CheckAnswer::unknown, record::CheckSeverity::info, "no such file", ""},
        {"swap", record::CheckAnswer::ok, record::CheckSeverity::warning, "none", ""}};
  }
  return report;
}

}  // namespace torchgate::reports::models
