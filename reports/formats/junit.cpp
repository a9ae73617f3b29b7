// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "reports/columns.hpp"
#include "reports/format.hpp"
#include "reports/formats/xml_text.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

// Of a name or a message: viewers show one line of it, and a suite may say a megabyte.
constexpr std::size_t longest_name = 500;
constexpr std::size_t longest_message = 2000;

enum class TestResult { passed, failure, error, skipped };

struct TestCase {
  std::string_view name;
  std::vector<const Finding*> findings;
  std::vector<const ClaimFinding*> claims;  // broken ones that the policy fails
};

struct TestSuite {
  std::string_view name;
  std::vector<TestCase> cases;  // in the order of the report: the worst first
};

std::string attribute(std::string_view untrusted, std::size_t width) {
  return xml_text(elide_middle(one_line(untrusted), width, "…"));
}

// A message is cut at its end: in its middle are numbers.
std::string message(std::string_view untrusted) {
  return xml_text(cut_at_word(one_line(untrusted), longest_message, "…"));
}

std::string_view suite_of(std::string_view case_name) {
  return case_name.substr(0, case_name.find('/'));
}

std::vector<TestSuite> suites_of(const Report& report) {
  std::vector<TestSuite> suites;
  std::map<std::string_view, std::size_t> suite_at;
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> case_at;
  const auto case_named = [&](std::string_view name) -> TestCase& {
    const auto [known, is_new] = case_at.try_emplace(name);
    if (is_new) {
      const auto [suite, new_suite] = suite_at.emplace(suite_of(name), suites.size());
      if (new_suite) suites.push_back({suite->first, {}});
      known->second = {suite->second, suites[suite->second].cases.size()};
      suites[suite->second].cases.push_back({name, {}, {}});
    }
    return suites[known->second.first].cases[known->second.second];
  };
  for (const Finding& finding : report.findings) case_named(finding.case_name).findings.push_back(&finding);
  for (const ClaimFinding& claim : report.claims) {
    if (claim.state == ClaimState::broken && claim.action == GateAction::fail)
      case_named(claim.case_name).claims.push_back(&claim);
  }
  return suites;
}

/// Where there is no verdict because too few cases were decided, an undecided case has not passed.
bool is_undecided(const TestCase& test, const Report& report) {
  return report.too_few_decided && std::any_of(test.findings.begin(), test.findings.end(), [](const Finding* finding) {
           return finding->metric.primary && is_undecided(finding->verdict);
         });
}

TestResult result_of(const TestCase& test, const Report& report) {
  TestResult result = test.claims.empty() ? TestResult::passed : TestResult::failure;
  bool all_skipped = !test.findings.empty();
  for (const Finding* finding : test.findings) {
    all_skipped = all_skipped && finding->verdict == Verdict::skipped;
    if (finding->action != GateAction::fail) continue;
    const bool broken = finding->verdict <= Verdict::not_comparable;
    if (broken) return TestResult::error;
    result = TestResult::failure;
  }
  const bool skipped = all_skipped || is_undecided(test, report);
  return result == TestResult::passed && skipped ? TestResult::skipped : result;
}

/// "regressed: time 12.31 ms -> 13.87 ms, +12.7 % [+10.7 %, +14.7 %]".
std::string line_of(const Finding& finding, const Report& report, const Format& format) {
  std::string text = verdict_words(finding, report, format) + ": " + finding.metric.name;
  const FindingCells cells = cells_of(finding, report, format);
  if (finding.before || finding.after) text += fmt::format(" {} {} {}", cells.before, format.arrow(), cells.after);
  if (finding.change) text += ", " + cells.change;
  if (finding.interval) text += " " + cells.interval;
  return text;
}

bool is_remarkable(const Finding& finding) {
  return finding.verdict < Verdict::improved && finding.verdict != Verdict::inconclusive;
}

/// What is said of a case: the findings that made its result, or the remarkable ones.
std::string text_of(const TestCase& test, TestResult result, const Report& report, const Format& format) {
  std::string text;
  for (const Finding* finding : test.findings) {
    const bool shown = result == TestResult::skipped ||
                       (result == TestResult::passed ? is_remarkable(*finding) : finding->action == GateAction::fail);
    if (!shown) continue;
    text += (text.empty() ? "" : "; ") + line_of(*finding, report, format) + ".";
    for (const std::string& sentence : explanation_of(*finding, format)) text += " " + sentence;
  }
  for (const ClaimFinding* claim : test.claims) {
    text += fmt::format("{}claim broken: {}, measured {}.", text.empty() ? "" : "; ", promise_words(*claim, format),
                        format.factor(claim->measured_ratio));
  }
  return text;
}

/// Seconds, as the schema has them without an exponent: nine decimals, and more where they are fewer than four digits of the time.
std::string seconds_text(double ns) {
  constexpr int fewest = 9;
  constexpr int digits = 4;
  constexpr int most = 30;
  const int before_the_point = ns > 0 ? static_cast<int>(std::floor(std::log10(ns))) + 1 : digits;
  return fmt::format("{:.{}f}", ns * 1e-9, std::clamp(fewest + digits - before_the_point, fewest, most));
}

/// Empty where unknown.
std::string seconds_of(const TestCase& test) {
  for (const Finding* finding : test.findings) {
    const record::Metric& metric = finding->metric;
    if (!metric.primary || metric.unit != "ns" || !finding->after || !std::isfinite(finding->after->value)) continue;
    return fmt::format(" time=\"{}\"", seconds_text(finding->after->value));
  }
  return {};
}

struct Counts {
  std::size_t tests = 0;
  std::map<TestResult, std::size_t> results;
};

std::string attributes_of(Counts counts) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", counts.tests,
                     counts.results[TestResult::failure], counts.results[TestResult::error],
                     counts.results[TestResult::skipped]);
}

void write_case(std::string& xml, const TestCase& test, std::string_view suite, TestResult result,
                const Report& report) {
  const Format format;
  const auto out = std::back_inserter(xml);
  fmt::format_to(out, "    <testcase classname=\"{}\" name=\"{}\"{}", attribute(suite, longest_name),
                 attribute(test.name, longest_name), seconds_of(test));
  const std::string text = message(text_of(test, result, report, format));
  if (result == TestResult::passed) {
    if (text.empty()) {
      xml += "/>\n";
    } else {
      fmt::format_to(out, ">\n      <system-out>{}</system-out>\n    </testcase>\n", text);
    }
    return;
  }
  if (result == TestResult::skipped) {
    fmt::format_to(out, ">\n      <skipped message=\"{}\"/>\n    </testcase>\n", text);
    return;
  }
  const char* const element = result == TestResult::error ? "error" : "failure";
  const auto failing = std::find_if(test.findings.begin(), test.findings.end(),
                                    [](const Finding* finding) { return finding->action == GateAction::fail; });
  const char* const type = failing == test.findings.end() ? "claim_broken" : to_string((*failing)->verdict);
  fmt::format_to(out, ">\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n", element, type, text);
}

}  // namespace

std::string render_junit(const Report& report) {
  Counts all;
  std::string body;
  for (const TestSuite& suite : suites_of(report)) {
    Counts counts;
    std::string cases;
    for (const TestCase& test : suite.cases) {
      const TestResult result = result_of(test, report);
      ++counts.tests;
      ++counts.results[result];
      write_case(cases, test, suite.name, result, report);
    }
    body += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", attribute(suite.name, longest_name),
                        attributes_of(counts), cases);
    all.tests += counts.tests;
    for (const auto& [result, count] : counts.results) all.results[result] += count;
  }
  // A report without a case still says that there is no verdict: an empty list of tests would look like a pass. So would one whose
  // failure is not that of a case.
  const bool shows_failure = all.results[TestResult::failure] + all.results[TestResult::error] > 0;
  if (report.outcome == Outcome::no_verdict || (report.outcome == Outcome::fail && !shows_failure)) {
    ++all.tests;
    ++all.results[TestResult::error];
    body += fmt::format(
        "  <testsuite name=\"torchgate\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    <testcase "
        "classname=\"torchgate\" name=\"verdict\">\n      <error type=\"{}\" message=\"{}\"/>\n    "
        "</testcase>\n"
        "  </testsuite>\n",
        to_string(report.outcome), message(headline_of(report, Format())));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"torchgate\" {}>\n{}</testsuites>\n",
      attributes_of(all), body);
}

}  // namespace torchgate::reports
