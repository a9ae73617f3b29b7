// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/since_pin.hpp"

#include <gtest/gtest.h>

#include "ci/policy/case_rules.hpp"

namespace torchgate::policy {
namespace {

Policy parsed(const std::string& text) {
  Policy policy;
  const auto applied = apply_policy_text(policy, text, "torchgate.toml");
  EXPECT_TRUE(applied) << (applied ? "" : applied.error().message);
  return policy;
}

std::string complaint(const std::string& text) {
  Policy policy;
  const auto applied = apply_policy_text(policy, text, "torchgate.toml");
  return applied ? "" : applied.error().message;
}

TEST(SincePin, PutsItsOwnSettingsInThePlaceOfThoseOfAPullRequest) {
  const Policy project = parsed(
      "[gate]\nlatency = 0.03\nsince = 0.02\nequivalence = 0.04\nrule = \"exact\"\nconfirm = \"none\"\nbudget = "
      "\"none\"\nsince_budget = \"20m\"\n");
  const Policy since = since_pin(project);
  EXPECT_DOUBLE_EQ(since.latency, 0.02);
  EXPECT_DOUBLE_EQ(since.equivalence, 0.02) << "no wider than what fails";
  EXPECT_EQ(since.rule, "paired");
  EXPECT_EQ(since.confirm, Confirm::regressions);
  EXPECT_EQ(since.budget, "20m");
  EXPECT_TRUE(since.judges_since);
  EXPECT_FALSE(project.judges_since);
  EXPECT_DOUBLE_EQ(since_pin({}).latency, 0.05);
  EXPECT_EQ(since_pin({}).budget, "1h");
}

TEST(SincePin, ACaseHasABudgetOfItsOwn) {
  const Policy since =
      since_pin(parsed("[gate]\nsince = 0.1\n[[case]]\nmatch = \"^a/\"\nsince = 0.02\nlatency = 0.5\ncreep = \"warn\"\n"
                       "[[case]]\nmatch = \"^b/\"\nlatency = 0.5\nequivalence = 0.3\n"));
  CasePolicies policies(since);
  EXPECT_DOUBLE_EQ(policies.of("a/x").latency, 0.02);
  EXPECT_DOUBLE_EQ(policies.of("a/x").equivalence, 0.02);
  EXPECT_EQ(policies.of("a/x").creep, Action::warn);
  EXPECT_DOUBLE_EQ(policies.of("b/x").latency, 0.1) << "latency is about the baseline";
  EXPECT_DOUBLE_EQ(policies.of("b/x").equivalence, 0.1);
  EXPECT_EQ(policies.of("b/x").creep, Action::fail);
  EXPECT_DOUBLE_EQ(policies.of("c/x").latency, 0.1);
}

// A wider margin would call a slow-down of the gate's size no change.
TEST(SettleGate, NoDefaultMarginIsWiderThanTheGate) {
  const Policy project = parsed(
      "[gate]\nlatency = 0.005\n[[case]]\nmatch = \"^a/\"\nlatency = 0.2\n[[case]]\nmatch = \"^b/\"\nmargin = 0.5\n");
  CasePolicies policies(project);
  EXPECT_DOUBLE_EQ(policies.of("c/x").margin, 0.005);
  EXPECT_DOUBLE_EQ(policies.of("c/x").equivalence, 0.005);
  EXPECT_DOUBLE_EQ(policies.of("a/x").margin, 0.01);
  EXPECT_DOUBLE_EQ(policies.of("a/x").equivalence, 0.05);
  EXPECT_DOUBLE_EQ(policies.of("b/x").margin, 0.5) << "somebody wants it";
}

TEST(SincePin, AGateWithoutSinceIgnoresIt) {
  const Policy project = parsed("[gate]\nsince = 0.02\n[[case]]\nmatch = \"^a/\"\nsince = 0.01\n");
  CasePolicies policies(project);
  EXPECT_DOUBLE_EQ(policies.of("a/x").latency, 0.05);
  EXPECT_DOUBLE_EQ(policies.of("a/x").equivalence, 0.05);
}

TEST(SincePin, ItsBudgetIsATimeOrANumberOfPairs) {
  EXPECT_EQ(parsed("[gate]\nsince_budget = \"200 pairs\"\n").since_budget, "200 pairs");
  for (const char* wrong : {"\"run\"", "\"none\"", "\"soon\"", "3"})
    EXPECT_NE(complaint("[gate]\nsince_budget = " + std::string(wrong) + "\n").find("gate.since_budget takes a time"),
              std::string::npos)
        << wrong;
  EXPECT_NE(complaint("[gate]\ncreep = \"shout\"\n").find("gate.creep takes one of"), std::string::npos);
  EXPECT_NE(complaint("[gate]\nsince = 0\n").find("gate.since takes a fraction"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::policy
