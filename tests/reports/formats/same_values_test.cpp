// SPDX-License-Identifier: Apache-2.0
// The formats of single values and of one-line messages have the numbers of the JSON report, and only those.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "reports/formats/registry.hpp"
#include "reports/formats/tracked_values.hpp"
#include "reports/sentences.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

using nlohmann::json;

std::string rendered(const Report& report, const char* format) {
  return find_format<Report>(format)->render(report, {});
}

/// Cases with a speed on the new side, by name: primary, timed, neither failed nor wrong nor missing nor skipped.
std::map<std::string, double> speeds_of(const Report& report) {
  std::map<std::string, double> speeds;
  const json exact = json::parse(rendered(report, "json"));
  for (const json& finding : exact["findings"]) {
    const std::string verdict = finding["verdict"];
    const bool has_one = finding["metric"]["primary"] && finding["metric"]["kind"] == "timed" &&
                         finding["after"].is_object() && finding["after"]["value"].is_number() &&
                         !std::set<std::string>{"failed", "wrong", "missing", "skipped"}.contains(verdict);
    if (has_one && finding["after"]["value"] > 0.0) speeds[finding["case"]] = finding["after"]["value"];
  }
  return speeds;
}

using Speeds = std::map<std::string, double>;

Speeds of_bencher(const Report& report) {
  Speeds speeds;
  const json document = json::parse(rendered(report, "bencher"));
  for (const auto& [name, measures] : document.items()) speeds[name] = measures.at("latency").at("value");
  return speeds;
}

Speeds of_github_action_benchmark(const Report& report) {
  Speeds speeds;
  const json entries = json::parse(rendered(report, "github-action-benchmark"));
  for (const json& entry : entries) speeds[entry.at("name")] = entry.at("value");
  return speeds;
}

Speeds of_nyrkio(const Report& report) {
  Speeds speeds;
  const json line = json::parse(rendered(report, "nyrkio"));
  for (const json& metric : line.at("metrics")) speeds[metric.at("name")] = metric.at("value");
  return speeds;
}

/// name{labels} value, with labels in their order.
std::map<std::string, double> prometheus_series(const std::string& text) {
  std::map<std::string, double> series;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with('#')) continue;
    const std::size_t space = line.rfind(' ');
    EXPECT_TRUE(series.emplace(line.substr(0, space), std::stod(line.substr(space + 1))).second) << line;
  }
  return series;
}

class SameValues : public ::testing::TestWithParam<models::Named> {};

TEST_P(SameValues, TrackersGetTheSpeedsAndNothingElse) {
  const Report& report = GetParam().report;
  const Speeds speeds = speeds_of(report);
  EXPECT_EQ(of_bencher(report), speeds);
  EXPECT_EQ(of_github_action_benchmark(report), speeds);
  EXPECT_EQ(json::parse(rendered(report, "github-action-benchmark-bigger")), json::array()) << "all of them are times";
  EXPECT_EQ(of_nyrkio(report), speeds);
  const json records = json::parse(rendered(report, "pytorch"));
  ASSERT_EQ(records.size(), speeds.size());
  for (const json& record : records) {
    const std::string suite = record.at("benchmark").at("extra_info").at("suite");
    const std::string name = record.at("model").at("name");
    EXPECT_TRUE(speeds.contains(suite == name ? name : suite + "/" + name)) << record;
    EXPECT_FALSE(record.at("metric").at("benchmark_values").empty());
  }
}

// What fails the build is in the file of the tracker, too.
TEST(TrackedValues, AMetricThatTheCaseDeclaresIsInEachFormat) {
  Report report = models::confirmed_regression();
  Finding declared = report.findings.front();
  declared.metric = {"p99", "ms", record::Direction::lower_is_better, record::MetricKind::timed, false, false, true};
  declared.after->value = 20;
  report.findings.push_back(declared);
  const std::string name = declared.case_name;
  EXPECT_EQ(json::parse(rendered(report, "bencher")).at(name).at("p99").at("value"), 20);
  EXPECT_EQ(of_nyrkio(report).at(name + ": p99"), 20);
  EXPECT_EQ(of_github_action_benchmark(report).at(name + ": p99"), 20);
  const json records = json::parse(rendered(report, "pytorch"));
  EXPECT_EQ(records.back().at("metric").at("name"), "p99_ms");
  EXPECT_EQ(records.back().at("model"), records.front().at("model"));
}

Report two_of_one_look(double first, double second) {
  Report report = models::confirmed_regression();
  report.findings = {models::timed("BM_read/a\nb", Verdict::regressed, GateAction::fail, 1e3, first),
                     models::timed("BM_read/a b", Verdict::regressed, GateAction::fail, 1e3, second)};
  if (second > first) std::swap(report.findings[0], report.findings[1]);  // the worst first
  return report;
}

// A tracker knows a case by its name: it must not depend on which case is the worse one today.
TEST(TrackedValues, CasesWhoseNamesLookAlikeKeepTheirOwn) {
  const std::string hashed = tracked_name("BM_read/a\nb");
  EXPECT_EQ(hashed.find("BM_read/a b~"), 0U) << hashed;
  for (const auto& [first, second] : {std::pair(0.3, 0.1), std::pair(0.1, 0.3)}) {
    const Report report = two_of_one_look(first, second);
    const Speeds speeds = of_nyrkio(report);
    ASSERT_EQ(speeds.size(), 2U);
    EXPECT_NEAR(speeds.at("BM_read/a b"), 1e3 * (1 + second), 1e-6);
    EXPECT_NEAR(speeds.at(hashed), 1e3 * (1 + first), 1e-6);
    EXPECT_EQ(of_bencher(report), speeds);
    EXPECT_EQ(of_github_action_benchmark(report), speeds);
    const auto series = prometheus_series(rendered(report, "prometheus"));  // each series once
    const auto change_of = [](const std::string& name) {
      return fmt::format("torchgate_case_change_ratio{{case=\"{}\",metric=\"time\"}}", name);
    };
    EXPECT_NEAR(series.at(change_of("BM_read/a b")), second, 1e-9);
    EXPECT_NEAR(series.at(change_of(hashed)), first, 1e-9);
  }
}

TEST(TrackedValues, TheMetricsThatCasesWithLikeNamesDeclareAreTheirOwn) {
  Report report = two_of_one_look(0.3, 0.1);
  for (std::size_t i = 0; i < 2; ++i) {
    Finding declared = report.findings[i];
    declared.metric = {"p99", "ms", record::Direction::lower_is_better, record::MetricKind::timed, false, false, true};
    declared.after->value = 20 + static_cast<double>(i);
    report.findings.push_back(declared);
  }
  const json document = json::parse(rendered(report, "bencher"));
  EXPECT_EQ(document.at(tracked_name("BM_read/a\nb")).at("p99").at("value"), 20);
  EXPECT_EQ(document.at("BM_read/a b").at("p99").at("value"), 21);
}

// GitLab's names have no spaces.
TEST(TrackedValues, OfGitlabAreOfEachCase) {
  Report report = two_of_one_look(0.3, 0.1);
  report.findings.push_back(models::timed("BM_read/a_b", Verdict::regressed, GateAction::fail, 1e3, 0.2));
  std::set<std::string> cases;
  for (const auto& [name, value] : prometheus_series(rendered(report, "gitlab")))
    if (name.find("case=\"BM_read/a_b") != std::string::npos) cases.insert(name);
  EXPECT_EQ(cases.size(), 3U);
  EXPECT_TRUE(cases.contains("torchgate_change_ratio{case=\"BM_read/a_b\",metric=\"time\"}"));
}

TEST(TrackedValues, ANameThatIsKeptWholeIsSpeltAsItIs) {
  for (const std::string& name : {std::string("BM_read/a b"), std::string("größe/µ"), std::string(1000, 'x')})
    EXPECT_EQ(tracked_name(name), name);
  for (const std::string& name : {std::string(1001, 'x'), std::string(990, 'x') + "\n", std::string(990, '\1')})
    EXPECT_LE(tracked_name(name).size(), longest_tracked_name);
  EXPECT_NE(tracked_name(std::string(990, 'x') + "\n"), tracked_name(std::string(990, 'x') + "\t"));
}

// Only a time has to be positive.
TEST(TrackedValues, ZeroAndLessAreValuesOfOtherMetricsThanTimes) {
  Report report = models::confirmed_regression();
  const std::string name = report.findings.front().case_name;
  report.findings.resize(1);
  for (const double value : {0.0, -3.0}) {
    Finding& finding = report.findings.front();
    finding.metric = {"memory", "bytes", record::Direction::lower_is_better, record::MetricKind::timed, true};
    finding.after->value = value;
    EXPECT_EQ(json::parse(rendered(report, "bencher")).at(name).at("memory").at("value"), value);
    EXPECT_EQ(of_nyrkio(report).at(name), value);
    EXPECT_EQ(of_github_action_benchmark(report).at(name), value);
    EXPECT_EQ(json::parse(rendered(report, "pytorch")).size(), 1U);
    for (const char* const unit : {"ns", "us", "ms", "s"}) {
      finding.metric.unit = unit;
      EXPECT_TRUE(of_nyrkio(report).empty()) << value << " " << unit;
    }
  }
}

TEST_P(SameValues, PrometheusHasEveryNumberInBaseUnits) {
  const Report& report = GetParam().report;
  const auto series = prometheus_series(rendered(report, "prometheus"));
  const json exact = json::parse(rendered(report, "json"));
  // The change since a pin is another series than that of a pull request.
  const std::string end = report.since ? ",since=\"" + report.since->name + "\"}" : "}";
  std::size_t compared = 0;
  for (const json& finding : exact["findings"]) {
    const std::string labels = fmt::format("{{case=\"{}\",metric=\"{}\"", finding["case"].get<std::string>(),
                                           finding["metric"]["name"].get<std::string>());
    if (finding["change"].is_number()) {
      EXPECT_NEAR(series.at("torchgate_case_change_ratio" + labels + end), finding["change"], 1e-12);
      ++compared;
    }
    const bool wrong = finding["verdict"] == "failed" || finding["verdict"] == "wrong";
    if (!finding["after"].is_object() || !finding["after"]["value"].is_number() || wrong) continue;
    const double value = finding["after"]["value"];
    if (finding["metric"]["unit"] == "ns") {
      const double seconds = series.at("torchgate_case_time_seconds" + labels + ",side=\"after\"" + end);
      EXPECT_NEAR(seconds, value / 1e9, 1e-12 * std::abs(value));
      ++compared;
    }
  }
  EXPECT_EQ(series.at("torchgate_outcome{outcome=\"" + exact["outcome"].get<std::string>() + "\"" + end), 1);
  if (!report.findings.empty() && report.outcome == Outcome::fail && report.claims.empty()) {
    EXPECT_TRUE(compared > 0 || GetParam().name == "failed_wrong_missing");
  }
}

TEST_P(SameValues, MessagesHaveTheCellsOfTheOtherFormats) {
  const Report& report = GetParam().report;
  const std::string junit = rendered(report, "junit");
  const std::string github = rendered(report, "github");
  std::size_t annotated = 0;
  for (const Finding& finding : report.findings) {
    if (finding.action != GateAction::fail || !finding.change) continue;
    const FindingCells cells = cells_of(finding, report, Format());
    const std::string values = cells.before + " → " + cells.after;
    EXPECT_NE(junit.find(values + ", " + cells.change), std::string::npos) << values;
    if (++annotated > 9) continue;
    std::string change = cells.change;
    change.replace(change.find('%'), 1, "%25");
    EXPECT_NE(github.find(values), std::string::npos) << values;
    EXPECT_NE(github.find(change), std::string::npos) << change;
  }
}

/// Those whose names are what they are in every format.
std::vector<models::Named> plain_ones() {
  std::vector<models::Named> named = models::all();
  std::erase_if(named, [](const models::Named& model) {
    return model.name == "hostile_names" || model.name == "five_hundred_rows" || model.name == "unknown_everywhere";
  });
  return named;
}

INSTANTIATE_TEST_SUITE_P(Situations, SameValues, ::testing::ValuesIn(plain_ones()),
                         [](const auto& situation) { return situation.param.name; });

}  // namespace
}  // namespace torchgate::reports
