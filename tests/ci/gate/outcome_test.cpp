// SPDX-License-Identifier: Apache-2.0
// What the headline says first: the cases that changed together, or the worst case where that is not of them.
#include "ci/gate/outcome.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

constexpr const char* common = "4 of 5 cases slower";

std::string headline_of(const record::Run& run, const policy::Policy& policy = {}) {
  const auto report = judge_paired(run, policy);
  return report ? report->headline.words() : report.error().message;
}

record::Run four_slower() {
  record::Run run = testing::paired_run("pppp");
  for (const char* const name : {"g/one/a", "g/one/b", "g/one/c", "g/one/d"}) testing::add_slower(run, name, 1.3);
  testing::add_slower(run, "g/one/e", 1.0);
  return run;
}

TEST(Headline, BeginsWithWhatTheSlowerCasesHaveInCommon) {
  const std::string headline = headline_of(four_slower());
  EXPECT_EQ(headline.find(common), 0U) << headline;
  EXPECT_NE(headline.find("; worst: "), std::string::npos) << headline;
}

TEST(Headline, BeginsWithACaseThatFailedOtherwise) {
  record::Run run = four_slower();
  for (record::Process& process : run.processes) {
    if (process.side == 0) continue;
    for (record::CaseResult& result : process.cases)
      if (result.name == "g/one/e") result.status = record::CaseStatus::wrong;
  }
  const std::string headline = headline_of(run);
  EXPECT_EQ(headline.find("g/one/e"), 0U) << headline;
  EXPECT_NE(headline.find("; 4 of 4 cases slower"), std::string::npos) << headline;
  EXPECT_EQ(headline.find("worst: "), std::string::npos) << headline;
}

// What a policy only warns of is not small.
TEST(Headline, CallsBelowTheGateOnlyWhatIs) {
  policy::Policy warns;
  warns.metrics["time"] = policy::Action::warn;
  record::Run run = testing::paired_run("pppp");
  testing::add_slower(run, "g/one/large", 1.3);
  testing::add_slower(run, "g/one/same", 1.0);
  EXPECT_EQ(headline_of(run, warns).find("1 regression (not gated) in 2 cases"), 0U) << headline_of(run, warns);
  policy::Policy wide;
  ASSERT_TRUE(policy::apply_policy_text(wide, "[[case]]\nmatch = \".\"\nlatency = 0.5\n", "/p/torchgate.toml").ok());
  EXPECT_EQ(headline_of(run, wide).find("one regression below the gate in 2 cases"), 0U) << headline_of(run, wide);
  testing::add_slower(run, "h/small", 1.03);
  const std::string both = headline_of(run, warns);
  EXPECT_NE(both.find("1 regression (not gated) and 1 below the gate in 3 cases"), std::string::npos) << both;
}

// The table of the report and the headline name the same worst case: a metric that was 0 before has no relative change.
TEST(Headline, BeginsWithTheCaseThatTheTableBeginsWith) {
  record::Case rate;
  rate.name = "rate";
  record::Case nothing;
  nothing.name = "was 0";
  std::vector<Judged> cases(2);
  cases[0].definition = &rate;
  cases[0].decision.change = -0.2;
  cases[1].definition = &nothing;
  cases[1].decision.values = {0, 300};
  for (Judged& judged : cases) {
    judged.decision.verdict = reports::Verdict::suspected;
    judged.action = reports::GateAction::fail;
  }
  reports::Report report;
  conclude(report, std::move(cases), {}, {}, 0);
  EXPECT_EQ(report.findings.front().case_name, "was 0");
  EXPECT_EQ(report.headline.words().find("was 0: "), 0U) << report.headline.words();
}

// A suspect that is waived is judged, and neither compared nor decided.
TEST(Headline, SaysAllDecidedOnlyOfTheCasesThatItCounts) {
  std::vector<record::Case> definitions(3);
  for (const bool waived : {false, true}) {
    std::vector<Judged> cases(3);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      definitions[i].name = "g/" + std::to_string(i);
      cases[i].definition = &definitions[i];
      cases[i].metric.primary = true;
      cases[i].decision.verdict = reports::Verdict::equivalent;
      cases[i].action = reports::GateAction::pass;
    }
    if (waived) cases[0].decision.verdict = reports::Verdict::suspected;
    cases[0].waived = waived;
    reports::Report report;
    conclude(report, std::move(cases), {}, {}, 0);
    EXPECT_EQ(report.headline.words(),
              waived ? "no regression in 3 cases; 1 waived" : "no regression in 3 cases, all decided");
  }
}

}  // namespace
}  // namespace torchgate::gate
