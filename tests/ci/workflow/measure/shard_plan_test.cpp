// SPDX-License-Identifier: Apache-2.0
// What a plan's file says, and what is refused of a shard; tests/ci/cli/merge_test.cpp measures some.
#include "ci/workflow/measure/shard_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

ShardPlan plan_of_two() {
  ShardPlan plan;
  plan.plan.profile = "quick";
  plan.plan.filter = "a|b";
  plan.plan.processes = 3;
  plan.plan.seed = 42;
  plan.plan.shards = 2;
  plan.plan.division = {{"s/a"}, {"s/b", "s/c"}};
  plan.plan.warmup_calls = 1;
  plan.plan.samples = 7;
  plan.seconds = {{"s/a", 4.5}, {"s/b", 2}, {"s/c", 1}};
  plan.source = {{"s/a", "0123456789abcdef"}, {"s/b", "estimate"}, {"s/c", "estimate"}};
  return plan;
}

TEST(ShardPlan, IsReadBackAsItWasWritten) {
  const auto again = shard_plan_from_json(to_json(plan_of_two()), "plan.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, plan_of_two());
}

TEST(ShardPlan, NumbersHaveTheLimitsOfTheirFlags) {
  const auto refusal = [](const std::function<void(ShardPlan&)>& set) {
    ShardPlan plan = plan_of_two();
    set(plan);
    const auto read = shard_plan_from_json(to_json(plan), "plan.json");
    return read ? "" : read.error().message;
  };
  static constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(refusal([](auto& plan) { plan.plan.processes = huge; }),
            "plan.json: /processes: expected an integer from 1 to 1000, found 9223372036854775807");
  EXPECT_NE(refusal([](auto& plan) { plan.plan.processes = 1001; }), "");
  EXPECT_NE(refusal([](auto& plan) { plan.plan.processes = 0; }), "");
  EXPECT_NE(refusal([](auto& plan) { plan.seconds["s/a"] = 1e300; }), "");
  EXPECT_NE(refusal([](auto& plan) { plan.seconds["s/a"] = -1; }), "");
  EXPECT_NE(refusal([](auto& plan) { plan.plan.division.resize(257); }), "");
  EXPECT_FALSE(parse_shard("1/257"));
  EXPECT_FALSE(parse_shard("1/9223372036854775807"));
  EXPECT_TRUE(parse_shard("256/256"));
}

TEST(ShardPlan, RefusesAGroupInTwoShards) {
  ShardPlan twice = plan_of_two();
  twice.plan.division[1][1] = "s/a";
  const auto refused = shard_plan_from_json(to_json(twice), "plan.json");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("duplicate group \"s/a\""), std::string::npos) << refused.error().message;
}

TEST(ShardPlan, PutsTheShardIntoTheRequest) {
  const testing::WorkingFolder folder;
  testing::write_text("plan.json", to_json(plan_of_two()));
  launch::Request request;
  const auto used = use_shard({"2/2", "plan.json", {}}, request);
  ASSERT_TRUE(used) << used.error().message;
  EXPECT_EQ(request.plan.shard, 2);
  EXPECT_EQ(request.plan.shards, 2);
  EXPECT_EQ(request.plan.seed, 42U);
  EXPECT_EQ(request.plan.profile, "quick");
  EXPECT_EQ(request.plan.warmup_calls, 1);
  EXPECT_EQ(request.plan.samples, 7);
  EXPECT_EQ(request.plan.division, plan_of_two().plan.division);
}

TEST(ShardPlan, RefusesAnEffortThatContradictsThePlan) {
  const testing::WorkingFolder folder;
  testing::write_text("plan.json", to_json(plan_of_two()));
  const auto refusal = [](const std::string& shard, const Effort& effort) {
    launch::Request request;
    const auto used = use_shard({shard, "plan.json", effort}, request);
    return used ? "" : used.error().message;
  };
  const std::string fix = " contradicts plan.json; remove the flag or write a new plan";
  EXPECT_EQ(refusal("1/3", {}), "--shard 1/3" + fix);
  EXPECT_EQ(refusal("1/2", {"c", "default", std::nullopt}), "--filter" + fix);
  EXPECT_EQ(refusal("1/2", {".*", "default", 7}), "--seed" + fix);
  EXPECT_EQ(refusal("1/2", {".*", "default", std::nullopt, 2}), "--warmup" + fix);
  EXPECT_EQ(refusal("1/2", {".*", "default", std::nullopt, 1, 8}), "--samples" + fix);
  EXPECT_EQ(refusal("1/2", {"a|b", "quick", 42, 1, 7}), "") << "the same in other words";
}

TEST(ShardPlan, ReadsWhichShard) {
  EXPECT_EQ(parse_shard("2/4").value(), std::pair(std::int64_t{2}, std::int64_t{4}));
  for (const char* text : {"", "1", "0/2", "3/2", "1/1", "1/2/3", "a/b", "1/ 2", "-1/2"})
    EXPECT_FALSE(parse_shard(text)) << text;
}

}  // namespace
}  // namespace torchgate::workflow
