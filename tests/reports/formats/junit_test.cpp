// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/junit.hpp"

#include <gtest/gtest.h>

#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

bool xml_has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Junit, ACaseIsOneTestWhateverItsMetrics) {
  const std::string xml = render_junit(models::confirmed_regression());
  // 11 cases; of one the time and the CPU time are findings, of nine the time and a count.
  EXPECT_TRUE(xml_has(xml, R"(<testsuites name="torchgate" tests="11" failures="1" errors="0" skipped="0">)")) << xml;
  EXPECT_TRUE(xml_has(xml, R"(name="fusion/conv_bn/folded/device:cpu/batch:8" time="0.013873370">)"));
  EXPECT_TRUE(xml_has(xml, R"(<failure type="regressed" message="regressed: time 12.31 ms → 13.87 ms, +12.7 %)"));
}

TEST(Junit, ATimeBelowANanosecondHasItsDigits) {
  for (const auto& [ns, time] : {std::pair(0.31, "0.0000000003100"), std::pair(0.62, "0.0000000006200"),
                                 std::pair(12.34, "0.00000001234"), std::pair(0.0, "0.000000000")}) {
    Report report = models::base();
    report.outcome = Outcome::pass;
    report.findings = {models::timed("a", Verdict::equivalent, GateAction::pass, ns, 0)};
    EXPECT_TRUE(xml_has(render_junit(report), std::string(" time=\"") + time + "\"")) << render_junit(report);
  }
}

TEST(Junit, ALongMessageIsCutAtItsEnd) {
  Report report = models::base();
  Finding finding = models::timed("a", Verdict::regressed, GateAction::fail, 1.234e6, 0.1);
  std::string sentence = "because";
  for (int i = 0; i < 500; ++i) sentence += " of this";
  finding.reasons = {sentence};
  report.findings = {finding};
  EXPECT_TRUE(xml_has(render_junit(report), " of …\"/>") || xml_has(render_junit(report), " this …\"/>"));
}

TEST(Junit, CrashedWrongAndMissingAreErrors) {
  EXPECT_TRUE(
      xml_has(render_junit(models::failed_wrong_missing()), R"(tests="5" failures="0" errors="3" skipped="0")"));
}

TEST(Junit, ABrokenClaimThatFailsIsAFailureOfItsCase) {
  const std::string xml = render_junit(models::claims_broken());
  EXPECT_TRUE(
      xml_has(xml, R"(<failure type="claim_broken" message="claim broken: at most 0.4000x, measured 0.6200x."/>)"))
      << xml;
}

TEST(Junit, AClaimFailsACaseWhoseTimePassed) {
  Report report = models::claims_broken();
  Finding passed = models::timed(report.claims.front().case_name, Verdict::equivalent, GateAction::pass, 1e5, 0.01);
  report.findings.insert(report.findings.begin(), passed);
  const std::string xml = render_junit(report);
  EXPECT_TRUE(xml_has(xml, R"(<failure type="claim_broken" message=")")) << xml;
  EXPECT_EQ(xml.find("<failure type=\"equivalent\""), std::string::npos);
}

TEST(Junit, WithoutAVerdictThereIsAnError) {
  EXPECT_TRUE(xml_has(render_junit(models::host_differs()), R"(<error type="no_verdict")"));
}

// A failure that is not that of a case: a run that was measured with less than the policy asks for.
TEST(Junit, AFailureOfTheWholeIsAnError) {
  Report report = models::host_differs();
  report.outcome = Outcome::fail;
  report.headline = "measured with less";
  EXPECT_TRUE(xml_has(render_junit(report), R"(<error type="fail" message="measured with less"/>)"));
  EXPECT_FALSE(xml_has(render_junit(models::confirmed_regression()), R"(type="fail")"));
}

TEST(Junit, SkippedCasesAreSkipped) {
  EXPECT_TRUE(xml_has(render_junit(models::all_pass()), R"(<skipped message="skipped: time. No CUDA device."/>)"));
}

TEST(Junit, WhatXmlForbidsIsReplaced) {
  Report report = models::base();
  report.findings = {
      models::timed("a\x01"
                    "b]]>\"<'&",
                    Verdict::regressed, GateAction::fail, 1e6, 0.1)};
  EXPECT_TRUE(xml_has(render_junit(report),
                      "name=\"a\xEF\xBF\xBD"
                      "b]]&gt;&quot;&lt;&#39;&amp;\""));
}

}  // namespace
}  // namespace torchgate::reports
