// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/shards/division.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace torchgate::launch {
namespace {

using Names = std::vector<std::string>;

TEST(Division, GivesTheLongestFirstToWhoHasTheLeast) {
  // Graham's example of LPT at its worst: 5 5 4 4 3 3 3 on three machines is 11, and 9 would do.
  const std::vector<GroupWeight> groups{{"a", 5}, {"b", 5}, {"c", 4}, {"d", 4}, {"e", 3}, {"f", 3}, {"g", 3}};
  const auto division = divide(groups, 3);
  EXPECT_EQ(division, (std::vector<Names>{{"a", "e", "g"}, {"b", "f"}, {"c", "d"}}));
}

TEST(Division, DoesNotDependOnTheOrderGiven) {
  std::vector<GroupWeight> groups;
  for (int i = 0; i < 40; ++i) groups.push_back({"g" + std::to_string(i), static_cast<double>(i % 7) / 3});
  const auto first = divide(groups, 6);
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(groups.begin(), groups.end(), random);
    EXPECT_EQ(divide(groups, 6), first);
  }
}

// The bound that LPT has: at most 4/3 of the mean load plus what one largest group forces.
TEST(Division, IsBalanced) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<GroupWeight> groups;
    std::map<std::string, double> seconds;
    for (int i = 0; i < 30; ++i) {
      groups.push_back({"g" + std::to_string(i), static_cast<double>(random() % 1000) / 100});
      seconds[groups.back().name] = groups.back().seconds;
    }
    const auto division = divide(groups, 4);
    std::size_t count = 0;
    double total = 0;
    double longest_shard = 0;
    double longest_group = 0;
    for (const auto& shard : division) {
      double sum = 0;
      for (const std::string& name : shard)
        sum += seconds.at(name), longest_group = std::max(longest_group, seconds.at(name));
      total += sum;
      count += shard.size();
      longest_shard = std::max(longest_shard, sum);
    }
    EXPECT_EQ(count, groups.size());
    EXPECT_LE(longest_shard, 4.0 / 3 * std::max(total / 4, longest_group) + 1e-9);
  }
}

TEST(Division, MoreShardsThanGroupsLeavesSomeEmpty) {
  EXPECT_EQ(divide({{"only", 1}}, 3), (std::vector<Names>{{"only"}, {}, {}}));
  EXPECT_EQ(divide({}, 2), (std::vector<Names>{{}, {}}));
}

TEST(Division, GroupSecondsAreMeansOfSuccessfulProcesses) {
  record::Run run;
  const auto add = [&](const char* group, std::int64_t side, double seconds, record::ProcessStatus status) {
    record::Process process;
    process.group = group;
    process.side = side;
    process.wall_ns = static_cast<std::int64_t>(seconds * 1e9);
    process.status = status;
    run.processes.push_back(process);
  };
  add("a", 0, 1, record::ProcessStatus::ok);
  add("a", 0, 3, record::ProcessStatus::ok);
  add("a", 1, 5, record::ProcessStatus::ok);
  add("a", 0, 600, record::ProcessStatus::timed_out);
  add("b", 0, 7, record::ProcessStatus::crashed);
  EXPECT_EQ(group_seconds(run), (std::map<std::string, double>{{"a", 7}}));
}

TEST(Division, TheCommonSeedFollowsFromPlanAndCommit) {
  record::Plan plan;
  plan.shards = 3;
  record::Source source;
  source.commit = "abc";
  const std::uint64_t seed = common_seed(plan, source);
  plan.shard = 2;
  EXPECT_EQ(common_seed(plan, source), seed);
  EXPECT_LT(seed, std::uint64_t{1} << 53U);
  source.commit = "abd";
  EXPECT_NE(common_seed(plan, source), seed);
}

}  // namespace
}  // namespace torchgate::launch
