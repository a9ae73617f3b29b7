// SPDX-License-Identifier: Apache-2.0
// Streams of requests with known models: a slower one is rolled back, an equal one is not.
#include "suites/serving/server/canary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>
#include <string>

namespace torchgate::serving {
namespace {

struct Rollout {
  CanaryState state = CanaryState::running;
  std::int64_t requests = 0;
  std::int64_t exposed = 0;
};

// Latencies: lognormal noise of 15 %, on a load that changes slowly (AR(1), 20 %) and is the same for both models.
Rollout roll_out(double factor, std::uint64_t seed, std::int64_t most_requests = 200'000) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Canary canary;
  double load = 0;
  for (std::int64_t i = 0; i < most_requests && canary.state() == CanaryState::running; ++i) {
    load = 0.999 * load + 0.2 * std::sqrt(1 - 0.999 * 0.999) * normal(generator);
    const std::string request = std::to_string(seed) + "/" + std::to_string(i);
    const bool is_new = canary.routes(request);
    const double noise = std::exp(load + 0.15 * normal(generator));
    canary.observe(is_new, 10e6 * noise * (is_new ? factor : 1.0));
  }
  return {canary.state(), canary.requests(), canary.exposed()};
}

TEST(Router, SharesGrowByAddingRequests) {
  std::int64_t in_one_percent = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string request = "request-" + std::to_string(i);
    const bool one = is_in_share(request, {100});
    in_one_percent += one ? 1 : 0;
    EXPECT_TRUE(!one || is_in_share(request, {500}));
    EXPECT_FALSE(is_in_share(request, {0}));
    EXPECT_TRUE(is_in_share(request, {BasisPoints::all}));
  }
  EXPECT_NEAR(static_cast<double>(in_one_percent), 1000, 4 * std::sqrt(990.0));
}

TEST(Canary, AModelThatIsAThirdSlowerIsRolledBackInTheFirstStage) {
  std::int64_t most_requests = 0;
  double most_exposed = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Rollout rollout = roll_out(1.3, seed);
    EXPECT_EQ(rollout.state, CanaryState::rolled_back) << "seed " << seed;
    most_requests = std::max(most_requests, rollout.requests);
    most_exposed = std::max(most_exposed, static_cast<double>(rollout.exposed) / static_cast<double>(rollout.requests));
  }
  std::cout << "+30 %: rolled back after at most " << most_requests << " requests, of which at most "
            << 100 * most_exposed << " % reached it\n";
  EXPECT_LE(most_exposed, 0.02);
}

TEST(Canary, AnEqualModelIsNeverRolledBackInTwoHundredStreams) {
  // The risk of a stream is at most alpha = 1 %; with a margin of 2 % it is far smaller, and of these 200 seeds none has one.
  int complete = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Rollout rollout = roll_out(1.0, 1000 + seed, 60'000);
    EXPECT_NE(rollout.state, CanaryState::rolled_back) << "seed " << seed;
    complete += rollout.state == CanaryState::complete ? 1 : 0;
  }
  std::cout << "equal: " << complete << " of 200 complete within 60,000 requests, none rolled back\n";
  EXPECT_GE(complete, 190);
}

TEST(Canary, AFasterModelIsCompleted) {
  EXPECT_EQ(roll_out(0.7, 7).state, CanaryState::complete);
}

// While the canary gets few requests the load of both changes: the latencies beside its own are compared, not those of long before.
TEST(Canary, ComparesWithTheLastLatenciesOfTheOldModel) {
  constexpr double calm_ns = 10e6;
  constexpr double busy_ns = 20e6;
  const CanaryPolicy policy;
  Canary canary(policy);
  for (std::size_t pair = 0; pair < policy.pairs_per_stage; ++pair) {
    for (int i = 0; i < 5000; ++i) canary.observe(false, calm_ns);
    for (int i = 0; i < 5000; ++i) canary.observe(false, busy_ns);
    for (std::size_t i = 0; i < policy.requests_per_pair; ++i) canary.observe(true, busy_ns);
  }
  EXPECT_NE(canary.state(), CanaryState::rolled_back);
  EXPECT_GE(canary.stage(), 1U);
}

TEST(Canary, AfterARollbackNoRequestReachesIt) {
  Canary canary;
  for (std::int64_t i = 0; i < 100'000 && canary.state() == CanaryState::running; ++i) {
    const bool is_new = canary.routes(std::to_string(i));
    canary.observe(is_new, is_new ? 20.0 + static_cast<double>(i % 3) : 10.0 + static_cast<double>(i % 3));
  }
  ASSERT_EQ(canary.state(), CanaryState::rolled_back);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(canary.routes(std::to_string(i)));
}

}  // namespace
}  // namespace torchgate::serving
