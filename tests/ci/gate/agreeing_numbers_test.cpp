// SPDX-License-Identifier: Apache-2.0
// In every row and every format: before x (1 + change) = after, up to the rounding of the printed digits. Over random runs and
// policies, from the verdicts to the printed reports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string_view>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "reports/formats/registry.hpp"
#include "tests/ci/gate/digests/random_comparison.hpp"
#include "tests/reports/printed_rows.hpp"

namespace torchgate::gate {
namespace {

using reports::PrintedRow;

base::Result<reports::Report> judge(const testing::RandomComparison& made) {
  if (!made.current) return judge_paired(*made.pairs, made.policy);
  if (made.stored.empty()) return describe_run(*made.current, made.policy);
  Comparison comparison;
  for (const record::Run& run : made.stored) comparison.baseline.push_back(&run);
  comparison.current = &*made.current;
  if (made.pairs) comparison.pairs = &*made.pairs;
  comparison.confirmable = made.confirmable;
  return judge_stored(comparison, made.policy);
}

bool complete(const reports::Finding& finding) {
  return finding.before && finding.after && finding.change && finding.before->value > 0;
}

/// Rows that every format must show: Markdown folds counts that did not change.
std::size_t rows_to_show(const reports::Report& report) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(), [](const reports::Finding& finding) {
        return complete(finding) && (finding.metric.kind == record::MetricKind::timed || *finding.change != 0);
      }));
}

void check_json(const std::string& text) {
  const nlohmann::json report = nlohmann::json::parse(text);
  for (const nlohmann::json& finding : report["findings"]) {
    const auto& before = finding["before"];
    const auto& after = finding["after"];
    RC_ASSERT((before.is_null() && after.is_null()) == finding["estimator"].is_null());
    if (!before.is_object() || !after.is_object() || !finding["change"].is_number()) continue;
    const double ratio = 1 + finding["change"].get<double>();
    const double was = before["value"];
    const double is = after["value"];
    RC_LOG() << finding["case"] << ' ' << finding["metric"]["name"] << ' ' << finding["estimator"] << ' ' << was
             << " x " << ratio << " = " << is << '\n';
    RC_ASSERT(std::abs(was * ratio - is) <= 1e-9 * std::abs(is));
    if (!before["items_per_second"].is_number() || !after["items_per_second"].is_number()) continue;
    const double was_rate = before["items_per_second"];
    const double is_rate = after["items_per_second"];
    RC_ASSERT(std::abs(was_rate / ratio - is_rate) <= 1e-9 * is_rate);
  }
}

void check_rows(const std::vector<PrintedRow>& rows, std::size_t at_least) {
  for (const PrintedRow& row : rows) {
    RC_LOG() << row.text << '\n';
    RC_ASSERT(reports::agrees(row));
  }
  RC_ASSERT(rows.size() >= at_least);
}

// Everything, where a terminal or a comment would leave rows out.
reports::RenderOptions all_rows(bool unicode) {
  reports::RenderOptions options;
  options.terminal = {.width = 300, .verbose = true, .unicode = unicode};
  options.markdown.limit_bytes = 50'000'000;
  return options;
}

RC_GTEST_PROP(AgreeingNumbers, InEveryRowOfEveryFormat, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
  const auto report = judge(testing::random_comparison(seed));
  RC_PRE(report.ok());
  const std::size_t rows = rows_to_show(*report);
  for (const reports::ReportFormat& format : reports::formats_of<reports::Report>()) {
    for (const bool unicode : {true, false}) {
      const std::string text = format.render(*report, all_rows(unicode));
      if (format.name == "json") {
        check_json(text);
      } else if (format.name == "terminal") {
        check_rows(reports::rows_of_terminal(text), rows);
      } else if (format.name == "markdown") {
        check_rows(reports::rows_of_markdown(text), rows);
      } else if (format.name == "html") {
        check_rows(reports::rows_of_html(text), rows);
      } else {
        // Formats of single values and of one-line messages: tests/reports/formats/same_values_test.cpp. A new one is read there, too.
        const std::set<std::string_view> others = {"junit",
                                                   "github",
                                                   "gitlab",
                                                   "prometheus",
                                                   "bencher",
                                                   "github-action-benchmark",
                                                   "github-action-benchmark-bigger",
                                                   "nyrkio",
                                                   "pytorch"};
        RC_ASSERT(others.contains(format.name));
      }
    }
  }
}

}  // namespace
}  // namespace torchgate::gate
