// SPDX-License-Identifier: Apache-2.0
// What happens to which issue. tests/e2e/triage_test.sh does the same with HTTP.
#include "ci/github/triage/triage_plan.hpp"

#include <gtest/gtest.h>

#include "tests/ci/github/triage/triage_models.hpp"

namespace torchgate::github {
namespace {

using namespace torchgate::testing;
using namespace std::chrono_literals;
using What = IssueStep::What;
using policy::TriageState;

// History: a, b, c, d in this order.
const std::string latest_hash(40, 'd');
std::optional<bool> in_a_line(const std::string& commit, const std::string& ancestor) {
  return ancestor <= commit;
}

class Triage : public ::testing::Test {
 protected:
  Triage() {
    facts_.today = 2026y / 11 / 23;
    facts_.includes = in_a_line;
  }

  // Carries the plan out on the issues in memory.
  TriagePlan run() {
    const TriagePlan plan = plan_triage(facts_);
    for (const IssueStep& step : plan.steps) {
      if (step.what == What::create) {
        facts_.issues.push_back({static_cast<std::int64_t>(facts_.issues.size()) + 1, true, "", "", step.marker});
      }
      for (OwnIssue& issue : facts_.issues) {
        if (issue.marker != step.marker) continue;
        issue.title = step.title;
        issue.text = step.text;
        issue.open = !step.close;
      }
    }
    facts_.reported.reset();
    facts_.repairs.clear();
    return plan;
  }

  void report_cause() {
    facts_.reported = cause({finding("g/one", "regressed", 0.3), finding("g/two", "regressed", 0.1)});
  }
  void add_pairs(std::vector<ReportedFinding> findings, const std::string& commit = later_hash) {
    SavedReport saved = report(std::move(findings), true);
    saved.commit = commit;
    facts_.repairs.push_back(repairs_of(saved, "pairs.json").value());
  }
  [[nodiscard]] bool is_open() const { return facts_.issues.at(0).open; }

  TriageFacts facts_;
};

TEST_F(Triage, CreatesOnceAndUpdates) {
  report_cause();
  ASSERT_EQ(run().steps.at(0).what, What::create);
  report_cause();
  EXPECT_TRUE(run().steps.empty());
  facts_.reported = cause({finding("g/three", "regressed", 0.2)});
  const TriagePlan plan = run();
  ASSERT_EQ(plan.steps.at(0).what, What::update);
  EXPECT_EQ(plan.open.at(0).cause.cases.size(), 3U);
  EXPECT_EQ(facts_.issues.size(), 1U);
}

TEST_F(Triage, ClosesWhenPairsOfALaterCommitShowEveryCaseRepaired) {
  report_cause();
  run();
  add_pairs({finding("g/one", "equivalent", 0)});
  EXPECT_EQ(run().steps.at(0).what, What::update) << "one of two cases";
  EXPECT_TRUE(is_open());
  for (const char* bad :
       {"regressed", "suspected", "inconclusive", "failed", "wrong", "missing", "skipped", "changed", "new"}) {
    add_pairs({finding("g/one", "equivalent", 0), finding("g/two", bad, 0)});
    run();
    EXPECT_TRUE(is_open()) << bad;
  }
  add_pairs({finding("g/one", "improved", -0.1), finding("g/two", "unchanged", 0)});
  const TriagePlan plan = run();
  ASSERT_EQ(plan.steps.at(0).what, What::close);
  EXPECT_EQ(plan.steps.at(0).close, CloseReason::completed);
  EXPECT_EQ(plan.steps.at(0).comments.size(), 1U);
  EXPECT_TRUE(plan.open.empty());
}

TEST_F(Triage, DoesNotTakeEachCaseFromAnotherCommit) {
  report_cause();
  run();
  add_pairs({finding("g/one", "equivalent", 0), finding("g/two", "regressed", 0.1)});
  run();
  add_pairs({finding("g/one", "regressed", 0.1), finding("g/two", "equivalent", 0)}, latest_hash);
  run();
  EXPECT_TRUE(is_open());
}

TEST_F(Triage, TheAnswerAboutTheLatestCommitCountsInAnyOrder) {
  const std::vector<ReportedFinding> good{finding("g/one", "equivalent", 0), finding("g/two", "equivalent", 0)};
  const std::vector<ReportedFinding> slow{finding("g/one", "regressed", 0.3), finding("g/two", "equivalent", 0)};
  report_cause();
  run();
  for (const std::string& commit : {later_hash, latest_hash}) {
    add_pairs(good);
    add_pairs(slow, commit);
    run();
    EXPECT_TRUE(is_open()) << commit;
    add_pairs(slow, commit);
    add_pairs(good);
    run();
    EXPECT_TRUE(is_open()) << commit << " first";
  }
  add_pairs(slow);
  add_pairs(good, latest_hash);
  run();
  EXPECT_FALSE(is_open()) << "the later commit repairs it";
}

TEST_F(Triage, PairsOfAnEarlierCommitAreOutdated) {
  report_cause();
  run();
  add_pairs({finding("g/one", "regressed", 0.3)}, latest_hash);
  run();
  add_pairs({finding("g/one", "equivalent", 0), finding("g/two", "equivalent", 0)});
  const TriagePlan plan = run();
  EXPECT_TRUE(is_open());
  EXPECT_EQ(plan.notes,
            std::vector<std::string>{
                "pairs.json: not used for 1 case of issue 1 (bbbbbbbbbbbb): pairs of a later commit are known"});
  add_pairs({finding("g/one", "equivalent", 0), finding("g/two", "equivalent", 0)}, latest_hash);
  run();
  EXPECT_FALSE(is_open()) << "measured again";
}

TEST_F(Triage, UsesPairsOnlyIfGitKnowsThatTheyAreOfALaterCommit) {
  report_cause();
  run();
  const std::vector<ReportedFinding> both{finding("g/one", "equivalent", 0), finding("g/two", "equivalent", 0)};
  facts_.includes = [](const std::string&, const std::string&) { return std::nullopt; };
  add_pairs(both);
  EXPECT_NE(run().notes.at(0).find("fetch-depth: 0"), std::string::npos);
  EXPECT_TRUE(is_open());
  facts_.includes = [](const std::string&, const std::string&) { return false; };
  add_pairs(both);
  EXPECT_NE(run().notes.at(0).find("does not contain the cause"), std::string::npos);
  EXPECT_TRUE(is_open());
}

TEST_F(Triage, RefusesReportsThatAreNotOfPairsOfCommits) {
  SavedReport saved = report({finding("g/one", "equivalent", 0)}, true);
  EXPECT_TRUE(repairs_of(saved, "x"));
  saved.modified = true;
  EXPECT_FALSE(repairs_of(saved, "x"));
  saved = report({finding("g/one", "equivalent", 0)}, true);
  saved.before_commit.reset();
  EXPECT_FALSE(repairs_of(saved, "x"));
  EXPECT_FALSE(repairs_of(report({finding("g/one", "equivalent", 0)}), "x"));
}

TEST_F(Triage, KnowsACaseThatAnOlderBaselineReportsAgain) {
  report_cause();
  run();
  Cause stale = cause({finding("g/one", "regressed", 0.29)});
  stale.commit = later_hash;
  facts_.reported = stale;
  EXPECT_TRUE(run().steps.empty());
  Cause slower = cause({finding("g/one", "regressed", 0.5)});
  slower.commit = later_hash;
  facts_.reported = slower;
  EXPECT_EQ(run().steps.at(0).what, What::create) << "slower than it was";
  Cause again = cause({finding("g/one", "regressed", 0.3)});
  again.before = later_hash;
  again.commit = latest_hash;
  facts_.reported = again;
  EXPECT_EQ(run().steps.at(0).what, What::create) << "the baseline is newer than the first cause";
}

TEST_F(Triage, StatesDecide) {
  report_cause();
  run();
  facts_.entries = {{"bbbbbbbbbbbb", TriageState::investigating, "ann", 2026y / 11 / 23, "", "t.toml:1"}};
  EXPECT_TRUE(run().steps.at(0).comments.empty()) << "its last day is today";
  facts_.today = 2026y / 11 / 24;
  TriagePlan plan = run();
  ASSERT_EQ(plan.steps.at(0).comments.size(), 1U);
  EXPECT_EQ(plan.steps.at(0).comments[0].name, "triage overdue 2026-11-23");
  EXPECT_TRUE(plan.open.at(0).overdue);
  facts_.entries[0].state = TriageState::invalid;
  facts_.entries[0].reason = "another compiler";
  plan = run();
  EXPECT_EQ(plan.steps.at(0).close, CloseReason::not_planned);
  report_cause();
  EXPECT_TRUE(run().steps.empty()) << "it stays closed";
  facts_.entries.push_back({"dddddddddddd", TriageState::fixed, "ann", {}, "", "t.toml:9"});
  EXPECT_EQ(run().notes, std::vector<std::string>{"t.toml:9: no issue is about commit dddddddddddd"});
}

TEST_F(Triage, LeavesAnEditedIssueAloneUntilItsReportComes) {
  report_cause();
  run();
  facts_.issues[0].text = "edited";
  TriagePlan plan = run();
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_EQ(plan.notes.size(), 1U);
  // The data of another commit under this marker.
  Cause other = cause({finding("g/one", "regressed", 0.3)});
  other.commit = later_hash;
  facts_.issues[0].text = "x\n" + cause_line(other);
  EXPECT_EQ(run().notes.size(), 1U);
  report_cause();
  EXPECT_EQ(run().steps.at(0).what, What::update);
}

TEST_F(Triage, OfTwoWorkflowsEachHasItsIssue) {
  report_cause();
  run();
  report_cause();
  facts_.key = "gpu";
  facts_.reported->key = "gpu";
  const TriagePlan gpu = run();
  ASSERT_EQ(gpu.steps.size(), 1U);
  EXPECT_EQ(gpu.steps.at(0).what, What::create) << "cases of the other workflow hide nothing";
  EXPECT_NE(gpu.steps.at(0).title.find("(gpu)"), std::string::npos);
  ASSERT_EQ(facts_.issues.size(), 2U);
  EXPECT_NE(facts_.issues[0].marker, facts_.issues[1].marker);
  // Pairs of one workflow close its issue only.
  add_pairs({finding("g/one", "equivalent", 0), finding("g/two", "equivalent", 0)});
  EXPECT_EQ(run().steps.at(0).what, What::close);
  EXPECT_TRUE(facts_.issues[0].open);
  EXPECT_FALSE(facts_.issues[1].open);
  facts_.key = "";
  EXPECT_EQ(run().open.size(), 1U);
  add_pairs({finding("g/one", "equivalent", 0), finding("g/two", "equivalent", 0)});
  run();
  EXPECT_FALSE(facts_.issues[0].open);
}

TEST_F(Triage, IgnoresAnIssueWithAnEditedKey) {
  report_cause();
  run();
  std::string& text = facts_.issues.at(0).text;
  const std::size_t at = text.rfind("torchgate-cause {") + std::string("torchgate-cause ").size();
  text.insert(at + 1, "\"key\":\"gpu\",");
  facts_.key = "gpu";
  const TriagePlan plan = run();
  EXPECT_TRUE(plan.steps.empty());
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_NE(plan.notes.at(0).find("left as it is"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::github
