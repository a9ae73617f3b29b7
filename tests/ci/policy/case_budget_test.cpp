// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/case_budget.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "ci/policy/policy.hpp"

namespace torchgate::policy {
namespace {

TEST(CaseBudget, TakesNumbersWithUnits) {
  const auto is = [](const char* text, double limit, const char* unit) {
    const auto budget = parse_case_budget(text);
    ASSERT_TRUE(budget) << text;
    EXPECT_DOUBLE_EQ(budget->limit, limit) << text;
    EXPECT_EQ(budget->unit, unit) << text;
    EXPECT_EQ(budget->text, text);
  };
  is("100 ms", 1e8, "ns");
  is("1.5us", 1500, "ns");
  is("2 min", 120e9, "ns");
  is("4 GB", 4e9, "bytes");
  is("4 GiB", 4294967296.0, "bytes");
  is("1 B", 1, "bytes");
}

TEST(CaseBudget, RefusesEverythingElse) {
  for (const char* text :
       {"", "ms", "100", "100 parsecs", "-1 ms", "0 ms", "1e999 s", "nan s", "inf s", "1 ms 2", "0x10 B", "1,5 ms"}) {
    const auto budget = parse_case_budget(text);
    ASSERT_FALSE(budget) << text;
    EXPECT_NE(budget.error().message.find("a budget is a number above 0 with a unit"), std::string::npos);
  }
  EXPECT_FALSE(case_budget_of(0));
  EXPECT_FALSE(case_budget_of(-1));
  EXPECT_FALSE(case_budget_of(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(case_budget_of(17)->unit, "");
}

TEST(CaseBudget, AMistakeNamesItsLine) {
  const auto complaint = [](const std::string& budget) {
    Policy policy;
    const auto applied =
        apply_policy_text(policy, "[[case]]\nmatch = \"a\"\nbudget = " + budget + "\n", "/p/torchgate.toml");
    return applied.ok() ? "" : applied.error().message;
  };
  EXPECT_EQ(complaint("\"100 ms\""),
            "/p/torchgate.toml:3: budget takes a table such as { time = \"100 ms\", peak_bytes = \"4 GB\" }");
  EXPECT_NE(complaint("{ time = \"100 miles\" }").find("/p/torchgate.toml:3: budget.time: a budget is a number"),
            std::string::npos);
  EXPECT_NE(complaint("{ time = true }").find("budget.time: a budget takes a text or a number"), std::string::npos);
  EXPECT_EQ(complaint("{ time = \"100 ms\", allocations = 12 }"), "");
}

}  // namespace
}  // namespace torchgate::policy
