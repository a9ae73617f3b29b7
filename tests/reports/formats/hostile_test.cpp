// SPDX-License-Identifier: Apache-2.0
// Names and messages of the hostile corpus in every format of every row of the registry. What a format has to be inert for is
// known by who reads it: each check is done for all formats, and the exceptions are those whose syntax has the characters.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reports/formats/registry.hpp"
#include "reports/formats/tracked_values.hpp"
#include "reports/safe_text.hpp"
#include "tests/reports/hostile_names.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

/// Every text of the report is the hostile one.
Report report_of(const std::string& text) {
  Report report = models::base();
  report.outcome = Outcome::fail;
  report.headline = text;
  report.doubts = {Doubt(text, DoubtKind::machine)};
  report.doubts.front().fix = text;
  report.differences = {{text, text, text, false}, {text, text, text, true}};
  report.notes = {text};
  for (const Verdict verdict : {Verdict::failed, Verdict::regressed, Verdict::suspected, Verdict::changed,
                                Verdict::inconclusive, Verdict::improved, Verdict::equivalent, Verdict::skipped}) {
    Finding finding =
        models::timed(text, verdict, verdict <= Verdict::suspected ? GateAction::fail : GateAction::note, 1e6, 0.2);
    finding.metric.name = text;
    finding.metric.unit = text;
    finding.metric.primary = verdict != Verdict::changed;
    finding.cohens_d_word = text;
    finding.reasons = {text};
    finding.causes = {text};
    finding.operators = {{text, text, text, 1, 2, 3, 4, 0.5, true}};
    finding.textbook->samples = finding.textbook->call = finding.textbook->word = text;
    models::confirm(finding, 12, 0.02, 1e-6, 0.01);
    finding.confirmation->note = text;
    report.findings.push_back(finding);
  }
  report.claims = {{text, text, text, text, ClaimState::broken, GateAction::fail, 0.9, true, 1.2, 1.1, {text}}};
  report.families = Families{false, {{text, 5, 4, 0.1}, {text, 3, 0, std::nullopt}}};
  for (SideHeader* const side : {&report.before, &report.after}) {
    side->label = side->commit.emplace() = side->created = side->host_key = text;
    side->run_ids = {text};
    side->checks = {{text, record::CheckAnswer::bad, record::CheckSeverity::fatal, text, text}};
  }
  report.rule = text;
  return report;
}

class Hostile : public ::testing::TestWithParam<std::string> {};

TEST_P(Hostile, NothingWorksInAnyFormat) {
  const Report report = report_of(GetParam());
  for (const FormatOf<Report>& format : formats_of<Report>()) {
    SCOPED_TRACE(std::string(format.name));
    const std::string text = format.render(report, {});
    EXPECT_FALSE(text.empty());
    EXPECT_LE(text.size(), std::size_t{5} << 20U);
    for (const std::string& line : lines_of(text)) {
      // No control character, nothing that turns the direction, nothing that is not UTF-8; JSON escapes them.
      EXPECT_EQ(one_line(line), line);
      if (format.reader == Reader::ci_log) {
        // The runner reads commands at the beginning of a line, and older ones anywhere; the properties and the text are from torchgate.
        const bool ours = line.starts_with("::error title=torchgate%3A ") ||
                          line.starts_with("::warning title=torchgate%3A ") ||
                          line.starts_with("::notice title=torchgate%3A ");
        EXPECT_TRUE(ours) << line;
        EXPECT_EQ(line.find("##["), std::string::npos) << line;
        EXPECT_EQ(line.find("%0A"), std::string::npos) << line;
      } else if (format.name != "terminal") {
        // What is printed on a terminal goes through the console, which sees to it (ci/cli/inert_stream.hpp).
        EXPECT_FALSE(line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("::")) << line;
      }
      // Outside of code spans of Markdown and strings of JSON, no tag that is not ours.
      if (format.name == "html" || format.name == "junit") {
        EXPECT_EQ(line.find("<img src=x"), std::string::npos);
        EXPECT_EQ(line.find("<script>alert"), std::string::npos);
        EXPECT_EQ(line.find("<!-- comment"), std::string::npos);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Hostile, ::testing::ValuesIn(models::hostile_names_corpus()),
                         [](const auto& name) { return "number" + std::to_string(name.index); });

/// The name that a tracker gets of each case.
std::map<std::string, std::string> tracked_cases(const Report& report) {
  std::map<std::string, std::string> names;
  for (const TrackedValue& tracked : tracked_values(report)) names[tracked.finding->case_name] = tracked.name;
  return names;
}

// Of two cases that look alike each has a name of its own, whichever comes first in the report.
TEST_P(Hostile, ACaseThatLooksAlikeHasAnotherName) {
  const std::string like = one_line(GetParam());
  if (like == GetParam()) return;
  Report report = models::base();
  report.findings = {models::timed(GetParam(), Verdict::regressed, GateAction::fail, 1e6, 0.3),
                     models::timed(like, Verdict::regressed, GateAction::fail, 1e6, 0.2)};
  const auto names = tracked_cases(report);
  ASSERT_EQ(names.size(), 2U);
  EXPECT_NE(names.at(GetParam()), names.at(like));
  if (like.size() <= longest_tracked_name) {
    EXPECT_EQ(names.at(like), like);
  }
  std::swap(report.findings[0], report.findings[1]);
  EXPECT_EQ(tracked_cases(report), names);
  for (const char* const format : {"prometheus", "gitlab"}) {
    std::set<std::string> series;
    for (const std::string& line : lines_of(find_format<Report>(format)->render(report, {})))
      EXPECT_TRUE(line.empty() || line.starts_with('#') || series.insert(line.substr(0, line.rfind(' '))).second)
          << line;
  }
}

TEST(ManyFindings, AreBoundedWhereAReceiverHasALimit) {
  Report report = models::base();
  for (int i = 0; i < 20000; ++i)
    report.findings.push_back(
        models::timed("suite/case:" + std::to_string(i), Verdict::regressed, GateAction::fail, 1e6, 0.1));
  const auto bytes = [&](const char* format) { return find_format<Report>(format)->render(report, {}).size(); };
  EXPECT_LE(bytes("markdown"), 60000U);
  for (int i = 20000; i < 25000; ++i)
    report.findings.push_back(
        models::timed("suite/case:" + std::to_string(i), Verdict::equivalent, GateAction::pass, 1e6, 0.001));
  const std::string page = find_format<Report>("html")->render(report, {});
  EXPECT_LE(page.size(), std::size_t{8} << 20U);  // 1,000 rows with their details, and 20,000 in its data
  EXPECT_NE(page.find("4,000 rows are not on this page; the JSON report has them."), std::string::npos);
  if (const auto* const annotations = find_format<Report>("github")) {
    EXPECT_LE(lines_of(annotations->render(report, {})).size(), 10U);
  }
}

}  // namespace
}  // namespace torchgate::reports
