// SPDX-License-Identifier: Apache-2.0
// Degradation, pacing, arrivals, the open loop and feature flags: decisions without a real clock.
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "harness/machine/facts.hpp"
#include "suites/serving/server/arrivals.hpp"
#include "suites/serving/server/degradation.hpp"
#include "suites/serving/server/feature_flags.hpp"
#include "suites/serving/server/open_loop.hpp"
#include "suites/serving/server/pacing.hpp"

namespace torchgate::serving {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Degradation, EntersAboveTheLimitAndLeavesAfterGoodBatches) {
  Degradation degradation({});
  EXPECT_EQ(degradation.observe(milliseconds(500), 0), ServingState::full) << "at the limit";
  EXPECT_EQ(degradation.observe(milliseconds(501), 0), ServingState::lite);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(degradation.observe(milliseconds(10), 0), ServingState::lite);
  EXPECT_EQ(degradation.observe(milliseconds(10), 0), ServingState::full);
  EXPECT_EQ(degradation.changes(), 2);
}

TEST(Degradation, DoesNotAlternateAtALoadAtTheLimit) {
  Degradation degradation({});
  for (int i = 0; i < 1000; ++i) degradation.observe(milliseconds(i % 2 == 0 ? 510 : 400), 0);
  EXPECT_EQ(degradation.changes(), 1) << "400 ms is below the limit, and not below half of it";
  EXPECT_EQ(degradation.state(), ServingState::lite);
}

TEST(Degradation, ShedsOnlyWithALongQueueAndComesBackStepByStep) {
  Degradation degradation({});
  EXPECT_EQ(degradation.observe(milliseconds(1200), 64), ServingState::lite) << "the queue is short";
  EXPECT_EQ(degradation.observe(milliseconds(1200), 65), ServingState::shed);
  EXPECT_TRUE(degradation.sheds(65));
  EXPECT_FALSE(degradation.sheds(64));
  for (int i = 0; i < 5; ++i) degradation.observe(milliseconds(1), 0);
  EXPECT_EQ(degradation.state(), ServingState::lite);
  for (int i = 0; i < 5; ++i) degradation.observe(milliseconds(1), 0);
  EXPECT_EQ(degradation.state(), ServingState::full);
}

TEST(Pacing, ReducesAboveTheTargetOnceInAHundredBatches) {
  Pacing pacing({}, {32, milliseconds(10)});
  for (int i = 0; i < 99; ++i) EXPECT_EQ(pacing.observe(milliseconds(121)).largest, 32U);
  EXPECT_EQ(pacing.observe(milliseconds(1)).largest, 16U) << "the slowest of the hundred counts";
  EXPECT_EQ(pacing.steps(), 1);
}

TEST(Pacing, BetweenItsLimitsNothingChanges) {
  Pacing pacing({}, {32, milliseconds(10)});
  for (int i = 0; i < 100; ++i) pacing.observe(milliseconds(200));
  for (int i = 0; i < 1000; ++i) pacing.observe(milliseconds(i % 2 == 0 ? 71 : 119));
  EXPECT_EQ(pacing.steps(), 1);
  for (int i = 0; i < 100; ++i) pacing.observe(milliseconds(60));
  EXPECT_EQ(pacing.observe(milliseconds(60)).largest, 32U);
  EXPECT_EQ(pacing.observe(milliseconds(60)).timeout, milliseconds(10));
}

// A server in simulated time whose batches take 2 ms and 4 ms a request, and whose requests wait for their batch to be full: at 32
// a request takes up to 2 + 4 x 32 + its wait. After a load step adaptive pacing keeps the target, fixed batches do not.
TEST(Pacing, KeepsTheTargetUnderALoadStepInSimulatedTime) {
  const auto violations = [](bool adaptive) {
    Pacing pacing({}, {32, milliseconds(10)});
    BatchPolicy policy{32, milliseconds(10)};
    int violated = 0;
    for (int batch = 0; batch < 2000; ++batch) {
      const bool loaded = batch >= 500;  // before the step a batch has 8 requests
      const auto size = static_cast<int>(loaded ? policy.largest : std::min<std::size_t>(8, policy.largest));
      const auto slowest = policy.timeout + milliseconds(2 + 4 * size);
      if (slowest > milliseconds(100)) ++violated;
      if (adaptive) policy = pacing.observe(slowest);
    }
    return violated;
  };
  EXPECT_EQ(violations(false), 1500);
  EXPECT_EQ(violations(true), 100) << "until the first step";
}

TEST(Arrivals, AreThoseOfTheSeedInEveryVersion) {
  const auto times = poisson_arrivals(3, 1000, 17);
  const auto again = poisson_arrivals(3, 1000, 17);
  EXPECT_EQ(times, again);
  EXPECT_NE(times, poisson_arrivals(3, 1000, 18));
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

TEST(Arrivals, GapsAreExponential) {
  constexpr std::size_t count = 20'000;
  const auto times = poisson_arrivals(count, 500, 1);
  std::vector<double> gaps;
  for (std::size_t i = 1; i < count; ++i) gaps.push_back(static_cast<double>((times[i] - times[i - 1]).count()) / 1e6);
  const double mean = std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size());
  EXPECT_NEAR(mean, 2.0, 0.06) << "1/500 s; four standard errors";
  // Kolmogorov's distance to 1 - exp(-x/2): below 1.63/sqrt(n) with 99 %.
  std::sort(gaps.begin(), gaps.end());
  double distance = 0;
  for (std::size_t i = 0; i < gaps.size(); ++i)
    distance = std::max(
        distance, std::abs(static_cast<double>(i) / static_cast<double>(gaps.size()) - (1 - std::exp(-gaps[i] / 2))));
  EXPECT_LT(distance, 1.63 / std::sqrt(static_cast<double>(gaps.size())));
}

// A server that stands still for a second: a driver that waited for answers would see one slow request, this one sees all
// those that were due meanwhile.
TEST(OpenLoop, AStallDelaysEveryRequestThatWasDueMeanwhile) {
  SteadyTime now{};
  DriverClock clock;
  clock.now = [&] { return now; };
  clock.sleep_until = [&](SteadyTime time) { now = time; };
  std::vector<nanoseconds> arrivals;
  for (int i = 0; i < 30; ++i) arrivals.emplace_back(milliseconds(100 * i));
  std::vector<nanoseconds> latencies;
  send_open_loop(arrivals, clock, [&](std::size_t i, SteadyTime scheduled) {
    now += i == 5 ? seconds(1) : nanoseconds(milliseconds(1));
    latencies.push_back(now - scheduled);
  });
  EXPECT_EQ(latencies[4], milliseconds(1));
  EXPECT_EQ(latencies[5], seconds(1));
  // Requests 6 to 15 were due during the stall; each after it takes 1 ms, so that they catch up 99 ms at a time.
  for (std::size_t i = 6; i <= 15; ++i) EXPECT_EQ(latencies[i], milliseconds(1000 - 99 * static_cast<int>(i - 5))) << i;
  EXPECT_EQ(latencies[16], milliseconds(1));
}

TEST(FeatureFlags, FollowTheFactsAndSayWhy) {
  const std::vector<FlagRule> rules{{"bf16", "cpu_capability", {"AVX512", "AMX"}}, {"bf16", "threads", {"1", "2"}}};
  EXPECT_TRUE(flag_state("bf16", rules, {{"cpu_capability", "AVX512"}, {"threads", "2"}}).on);
  const FlagState old = flag_state("bf16", rules, {{"cpu_capability", "AVX2"}, {"threads", "2"}});
  EXPECT_FALSE(old.on);
  EXPECT_EQ(old.why, "cpu_capability is AVX2, not AVX512 or AMX");
  EXPECT_EQ(flag_state("bf16", rules, {{"cpu_capability", "AMX"}}).why, "threads is unknown");
  EXPECT_EQ(flag_state("fp8", rules, {}).why, "no rule names the flag fp8");
}

// The facts that a run records of the machine it is measured on, asked for by name.
TEST(FeatureFlags, FollowTheFactsOfThisMachine) {
  Facts facts;
  for (const record::MachineFact& fact : machine::collect_machine(machine::this_machine()).facts)
    if (fact.value) facts[fact.name] = *fact.value;
  utsname system{};
  ASSERT_EQ(uname(&system), 0);
  const std::vector<FlagRule> rules{{"vectors", "architecture", {system.machine}},
                                    {"other_vectors", "architecture", {"riscv64"}},
                                    {"gpu_path", "gpu", {"NVIDIA H100"}}};
  EXPECT_TRUE(flag_state("vectors", rules, facts).on) << flag_state("vectors", rules, facts).why;
  EXPECT_EQ(flag_state("other_vectors", rules, facts).why,
            std::string("architecture is ") + system.machine + ", not riscv64");
  EXPECT_EQ(flag_state("gpu_path", rules, facts).why, "gpu is unknown") << "NVML was not asked";
}

}  // namespace
}  // namespace torchgate::serving
