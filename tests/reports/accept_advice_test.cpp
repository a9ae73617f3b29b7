// SPDX-License-Identifier: Apache-2.0
#include "reports/accept_advice.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/record/imported.hpp"
#include "reports/advice.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

std::string all_of(const std::vector<std::string>& steps) {
  std::string all;
  for (const std::string& step : steps) all += step + "\n";
  return all;
}

// `torchgate accept` refuses what is over its budget, so the step is to change that.
TEST(Advice, ForACaseOverItsBudgetIsToChangeTheBudget) {
  for (const char* const profile : {record::imported_profile, ""}) {
    for (const Verdict verdict : {Verdict::regressed, Verdict::over_budget, Verdict::suspected}) {
      Report report = models::all_pass();
      report.after.sampling.profile = profile;
      report.findings = {models::timed("g/one", verdict, GateAction::fail, 1e5, 0.3)};
      report.findings[0].over_budget = true;
      const std::string steps = all_of(next_steps(report));
      EXPECT_EQ(steps.find("torchgate accept"), std::string::npos) << steps;
      EXPECT_NE(steps.find("change `budget` in its [[case]] table"), std::string::npos) << steps;
      report.findings.push_back(models::timed("g/two", Verdict::regressed, GateAction::fail, 1e5, 0.3));
      EXPECT_NE(all_of(next_steps(report)).find("torchgate accept"), std::string::npos) << "the other case";
      report.findings.pop_back();
      report.findings[0].action = GateAction::warn;  // the policy limits the metric
      EXPECT_EQ(all_of(next_steps(report)).find("budget"), std::string::npos);
    }
  }
}

// It refuses a change that is not a share, too.
TEST(Advice, ForAGrowthFromNothingIsACaseTable) {
  for (const Verdict verdict : {Verdict::regressed, Verdict::suspected}) {
    Report report = models::all_pass();
    report.before.sampling.profile = report.after.sampling.profile = record::imported_profile;
    report.findings = {models::timed("g/one", verdict, GateAction::fail, 0, 0)};
    report.findings[0].change.reset();
    report.findings[0].after->value = 300;
    const auto steps = next_steps(report);
    ASSERT_EQ(steps.size(), 1U) << all_of(steps);
    EXPECT_EQ(steps[0].find("A change from 0"), 0U) << steps[0];
    EXPECT_EQ(steps[0].find("torchgate accept"), std::string::npos) << steps[0];
    report.findings[0].change = -1;  // of a rate: there is no ceiling
    report.findings[0].metric.direction = record::Direction::higher_is_better;
    EXPECT_EQ(next_steps(report), steps);
    report.findings[0].waived = true;
    EXPECT_TRUE(next_steps(report).empty());
  }
}

}  // namespace
}  // namespace torchgate::reports
