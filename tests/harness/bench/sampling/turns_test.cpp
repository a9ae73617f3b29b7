// SPDX-License-Identifier: Apache-2.0
// Samples in turns with another process, and in turns with other cases of the process.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "harness/bench/sampling/sampler.hpp"
#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

using testing::FakeClock;
using testing::FixedTurns;
using testing::ms;
using testing::s;
using testing::us;

const std::function<void()> no_device = [] {};

TEST(SampleInTurns, FillsEachTurnAndDropsTheFirstSampleOfALongOne) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&] {
    ++calls;
    clock.work(500 * us);
  });
  FixedTurns turns(3, 8 * ms);
  const Samples samples = sample_in_turns(timed, no_device, {}, clock, turns);
  EXPECT_EQ(turns.said.sample_ns, 500 * us);
  EXPECT_EQ(turns.said.budget_ns, 3 * s);
  EXPECT_EQ(samples.turns, (std::vector<std::int64_t>{15, 15, 15})) << "8 ms are 16 samples, of which one is a warm-up";
  EXPECT_EQ(samples.wall_ns.size(), 45U);
  EXPECT_EQ(samples.cpu_ns.size(), 45U);
  ASSERT_EQ(turns.took_all.size(), 3U);
  EXPECT_EQ(turns.took_all[2].samples, 15);
  EXPECT_EQ(turns.took_all[2].near_floor, 45) << "of all turns";
  EXPECT_EQ(turns.took_all[2].spent_ns, 8 * ms);
  EXPECT_EQ(calls, samples.warmup_calls + 45);
}

TEST(SampleInTurns, ACallLongerThanATurnIsATurn) {
  FakeClock clock;
  Timed timed([&] { clock.work(20 * ms); });
  FixedTurns turns(4, 8 * ms);
  EXPECT_EQ(sample_in_turns(timed, no_device, {}, clock, turns).turns, (std::vector<std::int64_t>{1, 1, 1, 1}));
}

TEST(SampleInTurns, ACaseThatAsksForANumberOfSamplesHasTheirTimeAsItsBudget) {
  FakeClock clock;
  Timed timed([&] { clock.work(100 * ms); });
  FixedTurns turns(1, 8 * ms);
  sample_in_turns(timed, no_device, with_samples({}, 7), clock, turns);
  EXPECT_EQ(turns.said.budget_ns, 700 * ms);
}

TEST(SampleInTurns, CountsSamplesNearTheSmallestOfAllTurns) {
  FakeClock clock;
  std::int64_t calls = 0;
  // Two turns beside a neighbour, then it is gone.
  Timed timed([&] { clock.work(++calls <= 70 ? 1'500 * us : 1'000 * us + (calls % 2) * 100 * us); });
  FixedTurns turns(10, 8 * ms);
  const Samples samples = sample_in_turns(timed, no_device, {}, clock, turns);
  const double smallest = *std::min_element(samples.wall_ns.begin(), samples.wall_ns.end());
  const auto near = std::count_if(samples.wall_ns.begin(), samples.wall_ns.end(),
                                  [&](double ns) { return ns <= smallest * near_floor_ratio; });
  EXPECT_EQ(turns.took_all.back().near_floor, near);
  EXPECT_LT(near, static_cast<std::int64_t>(samples.wall_ns.size()));
}

TEST(PartedSampling, TakesAsManySamplesAsSample) {
  FakeClock clock;
  Timed timed([&] { clock.work(1 * ms); });
  PartedSampling parted(timed, no_device, {}, clock);
  parted.begin();
  std::int64_t parts = 1;
  while (parted.take_part(4 * ms)) ++parts;
  const Samples samples = parted.finish();
  EXPECT_EQ(samples.wall_ns.size(), sample(timed, no_device, {}, clock).wall_ns.size());
  EXPECT_EQ(parts, 75) << "300 samples, 4 a part";
  for (const double ns : samples.wall_ns) EXPECT_DOUBLE_EQ(ns, 1e6);
}

}  // namespace
}  // namespace torchgate::bench
