// SPDX-License-Identifier: Apache-2.0
#include "ci/github/comment/last_report.hpp"

#include <gtest/gtest.h>

#include "ci/github/comment/tell_pull_request.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::github {
namespace {

using workflow::testing::WorkingFolder;
using workflow::testing::write_text;

// GitHub shows a success in green.
TEST(VerdictOfReport, OnlyAPassThatDecidedEnoughIsASuccess) {
  const WorkingFolder folder;
  write_text("report.md", "text");
  const auto verdict = [](reports::Outcome outcome, std::int64_t decided) {
    reports::Report report;
    report.outcome = outcome;
    report.headline = "words";
    report.decided = {4, decided, decided};
    EXPECT_TRUE(keep_last_report(report));
    return verdict_of_report(last_report_file, "report.md").value();
  };
  EXPECT_EQ(verdict(reports::Outcome::pass, 2).conclusion, Conclusion::success);
  EXPECT_EQ(verdict(reports::Outcome::pass, 2).title, "PASS: words");
  EXPECT_EQ(verdict(reports::Outcome::pass, 1).conclusion, Conclusion::neutral);
  EXPECT_EQ(verdict(reports::Outcome::pass, 1).title, "PASS (weak): words");
  EXPECT_EQ(verdict(reports::Outcome::no_verdict, 1).conclusion, Conclusion::neutral);
  EXPECT_EQ(verdict(reports::Outcome::fail, 1).conclusion, Conclusion::failure);
}

TEST(VerdictOfReport, RefusesTheMarkdownOfAnotherOutcome) {
  const WorkingFolder folder;
  reports::Report report;
  report.headline = "words";
  report.outcome = reports::Outcome::pass;
  ASSERT_TRUE(keep_last_report(report));
  for (const char* const text : {"## ✅ PASS: words\n", "## FAILURES: none\n", "## ❌ FAIL\n", "FAIL: words"}) {
    write_text("report.md", text);
    EXPECT_TRUE(verdict_of_report(last_report_file, "report.md")) << text;
  }
  for (const char* const text : {"## ❌ FAIL: words\n", "## ⚪ PASS (weak): words\n", "## ⚪ NO VERDICT: words\n"}) {
    write_text("report.md", text);
    const auto refused = verdict_of_report(last_report_file, "report.md");
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.error().message.find("last_report.json says PASS, and report.md says "), std::string::npos)
        << refused.error().message;
  }
}

// Modified files are of no commit.
TEST(VerdictOfReport, KnowsTheCommitOfFilesThatWereNotModified) {
  const WorkingFolder folder;
  write_text("report.md", "text");
  const auto commit = [](const std::string& name, std::optional<bool> modified) {
    reports::Report report;
    report.after.commit = name;
    report.after.modified = modified;
    report.before.modified = true;
    EXPECT_TRUE(keep_last_report(report));
    return verdict_of_report(last_report_file, "report.md").value().commit;
  };
  const std::string name(40, 'c');
  EXPECT_EQ(commit(name, false), name);
  EXPECT_FALSE(commit(name, true));
  EXPECT_FALSE(commit(name, std::nullopt));
  EXPECT_FALSE(commit("--upload-pack=x", false));
}

TEST(LastReport, IsReadBackAsItWasKept) {
  const WorkingFolder folder;
  reports::Report report;
  report.after.commit = std::string(40, 'c');
  report.after.host_key = "host-a";
  report.after.modified = false;
  report.before.commit = std::string(40, 'b');
  report.before.modified = false;
  report.after.sampling = {"full", 1, std::nullopt};
  report.paired = true;
  report.since = reports::SincePin{"v1.2", std::nullopt, "2026-01-01T00:00:00.000Z"};
  reports::Finding finding;
  finding.case_name = "suite/group/variant/device:cpu";
  finding.metric = {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  finding.verdict = reports::Verdict::regressed;
  finding.action = reports::GateAction::fail;
  finding.change = 0.25;
  finding.interval = reports::Interval{0.2, 0.3, 0.99};
  finding.before = reports::SideNumbers{};
  finding.before->value = 80;
  finding.after = reports::SideNumbers{};
  finding.after->value = 100;
  finding.causes = {"one"};
  finding.reasons = {"two"};
  report.findings = {finding};
  ASSERT_TRUE(keep_last_report(report));
  const auto saved = load_report(last_report_file);
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->commit, report.after.commit);
  EXPECT_EQ(saved->before_commit, report.before.commit);
  EXPECT_EQ(saved->host, "host-a");
  EXPECT_EQ(saved->sampling, report.after.sampling);
  EXPECT_TRUE(saved->paired);
  EXPECT_TRUE(saved->since_pin);
  EXPECT_FALSE(saved->modified);
  ASSERT_EQ(saved->findings.size(), 1U);
  EXPECT_EQ(saved->findings[0].case_name, finding.case_name);
  EXPECT_EQ(saved->findings[0].metric, "time");
  EXPECT_EQ(saved->findings[0].verdict, "regressed");
  EXPECT_EQ(saved->findings[0].action, "fail");
  EXPECT_EQ(saved->findings[0].change, 0.25);
  EXPECT_FALSE(saved->findings[0].exact);
  EXPECT_EQ(saved->findings[0].unit, "ns");
  ASSERT_TRUE(saved->findings[0].interval);
  EXPECT_EQ(saved->findings[0].interval->high, 0.3);
  EXPECT_EQ(saved->findings[0].value_before, 80);
  EXPECT_EQ(saved->findings[0].value, 100);
  EXPECT_EQ(saved->findings[0].reasons, (std::vector<std::string>{"one", "two"}));  // the cause first
}

TEST(LastReport, IsNotOfCleanCommitsUnlessItSaysSo) {
  const WorkingFolder folder;
  reports::Report report;
  report.after.modified = false;
  report.before.modified = true;
  ASSERT_TRUE(keep_last_report(report));
  EXPECT_TRUE(load_report(last_report_file)->modified);
  report.before.modified.reset();
  ASSERT_TRUE(keep_last_report(report));
  EXPECT_TRUE(load_report(last_report_file)->modified) << "unknown";
  EXPECT_FALSE(load_report(last_report_file)->paired);
  EXPECT_FALSE(load_report(last_report_file)->since_pin);
}

TEST(LastReport, SaysWhyItCannotBeKept) {
  const WorkingFolder folder;
  write_text(".torchgate", "a file where the folder should be");
  const auto kept = keep_last_report({});
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("torchgate accept"), std::string::npos) << kept.error().message;
  EXPECT_NE(kept.error().message.find("cannot create the folder"), std::string::npos) << "that is what failed";
}

TEST(LastReport, RefusesOtherFiles) {
  const WorkingFolder folder;
  EXPECT_EQ(load_report("nothing.json").error().code, base::ErrorCode::not_found);
  for (const char* text :
       {"", "[]", "{}", "{\"schema\": \"torchgate.run/1\"}", "{\"schema\": \"torchgate.report/1\"}"}) {
    write_text("other.json", text);
    const auto other = load_report("other.json");
    ASSERT_FALSE(other) << text;
    EXPECT_EQ(other.error().code, base::ErrorCode::bad_input) << text;
    EXPECT_NE(other.error().message.find("other.json: not a torchgate report"), std::string::npos)
        << other.error().message;
  }
}

}  // namespace
}  // namespace torchgate::github
