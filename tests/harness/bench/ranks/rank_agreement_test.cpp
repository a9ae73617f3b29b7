// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/rank_agreement.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/sampling/sampler.hpp"
#include "tests/harness/bench/described.hpp"
#include "tests/harness/bench/fakes.hpp"
#include "tests/harness/bench/ranks/rank_threads.hpp"

namespace torchgate::bench {
namespace {

using record::CaseResult;
using record::CaseStatus;
using testing::described;
using testing::in_ranks;

CaseResult result_of(CaseStatus status, const std::string& message = "") {
  CaseResult result;
  result.name = "a/b/c";
  result.status = status;
  result.message = message;
  return result;
}

TEST(Agreement, OfOneIsItsOwnResult) {
  CaseResult ok = result_of(CaseStatus::ok, "a note");
  EXPECT_TRUE(agree(solo_world(), ok));
  EXPECT_EQ(ok.message, "a note");
  CaseResult wrong = result_of(CaseStatus::wrong);
  EXPECT_FALSE(agree(solo_world(), wrong));
}

TEST(Agreement, IsTheWorstOfAllRanks) {
  in_ranks(3, [](World& world) {
    CaseResult result = world.rank() == 0   ? result_of(CaseStatus::ok)
                        : world.rank() == 1 ? result_of(CaseStatus::wrong, "off by one")
                                            : result_of(CaseStatus::failed, "ran out of memory");
    result.measurements.resize(2);
    EXPECT_FALSE(agree(world, result));
    EXPECT_EQ(result.name, "a/b/c");
    EXPECT_EQ(result.status, CaseStatus::failed);
    EXPECT_EQ(result.message, "rank 2: ran out of memory");
    EXPECT_TRUE(result.measurements.empty());
  });
}

TEST(Agreement, NamesNoRankWhereAllSayTheSame) {
  in_ranks(2, [](World& world) {
    CaseResult result = result_of(CaseStatus::skipped, "no CUDA device");
    EXPECT_FALSE(agree(world, result));
    EXPECT_EQ(result.message, "no CUDA device");
  });
}

TEST(Agreement, KeepsANoteOfARankWhereAllAreWell) {
  in_ranks(2, [](World& world) {
    CaseResult result = result_of(CaseStatus::ok, world.rank() == 0 ? "a note" : "");
    EXPECT_TRUE(agree(world, result));
    EXPECT_EQ(result.message, world.rank() == 0 ? "a note" : "");
  });
}

// The others are still measuring when one has failed: they are told, and come.
TEST(Agreement, ReachesRanksThatAreStillAtWork) {
  in_ranks(3, [](World& world) {
    CaseResult result = result_of(CaseStatus::failed, "bad luck");
    if (world.rank() != 1) {
      EXPECT_THROW(world.barrier(), RankAhead);
      result = result_of(CaseStatus::failed, followed_another);
    }
    EXPECT_FALSE(agree(world, result));
    EXPECT_EQ(result.message, "rank 1: bad luck");
    world.barrier();  // in step again
  });
}

TEST(LargestOf, IsAbsentWhereOneDoesNotKnow) {
  in_ranks(2, [](World& world) {
    Observation mine;
    mine.total_operator_calls = 5 + world.rank();
    if (world.rank() == 0) mine.peak_bytes = 1;
    mine.collective_bytes = 100;
    const Observation all = largest_of(world, mine);
    EXPECT_EQ(all.total_operator_calls, 6);
    EXPECT_EQ(all.collective_bytes, 100);
    EXPECT_FALSE(all.peak_bytes);
    EXPECT_FALSE(all.allocations);
  });
}

TEST(DiffersBetweenRanks, ComparesRelatively) {
  const auto compared = [](double second) {
    std::optional<std::string> result;
    in_ranks(2, [&](World& world) {
      const Output mine{{1e-3, world.rank() == 0 ? 1e-3 : second}, "Float"};
      const auto what = differs_between_ranks(world, mine);
      if (world.rank() == 0) result = what;
    });
    return result;
  };
  EXPECT_FALSE(compared(1e-3));
  EXPECT_FALSE(compared(1e-3 * (1 + 1e-7)));
  // Small in absolute numbers: gradients often are.
  EXPECT_EQ(compared(1.1e-3), "its output differs between rank 0 and rank 1 by 0.071 (relative L2)");
}

TEST(DiffersBetweenRanks, SaysSoWhenSizesDiffer) {
  in_ranks(2, [](World& world) {
    const Output mine{std::vector<double>(static_cast<std::size_t>(1 + world.rank()), 1.0), "Float"};
    EXPECT_EQ(differs_between_ranks(world, mine), "its output has different sizes on rank 0 and rank 1");
  });
}

// Two ranks with clocks of their own: all take the same samples, and each says what the slower one saw.
TEST(SampleOfRanks, IsTheSlowestRanks) {
  in_ranks(2, [](World& world) {
    testing::FakeClock clock;
    const std::int64_t call_ns = world.rank() == 0 ? 100'000 : 300'000;
    std::int64_t calls = 0;
    Timed timed([&] { ++calls, clock.work(call_ns, /*threads=*/world.rank() == 0 ? 4 : 1); });
    const Samples samples = sample(
        timed, [] {}, quick_settings(), clock, nullptr, world);
    EXPECT_EQ(samples.calls_per_sample, 1);
    // What the slow rank's time pays for, on both.
    EXPECT_EQ(samples.wall_ns, std::vector<double>(133, 300'000.0));
    EXPECT_EQ(samples.cpu_ns, std::vector<double>(133, 400'000.0));
    EXPECT_EQ(samples.recorded.at(rank_spread), std::vector<double>(133, 200'000.0));
    EXPECT_EQ(world.all_of({static_cast<double>(calls)})[0], world.all_of({static_cast<double>(calls)})[1]);
  });
}

// A whole case, of which the second rank's output is another number each time.
TEST(CaseOfRanks, IsWrongOnAllRanksWhenOneDiffers) {
  in_ranks(2, [](World& world) {
    testing::FakeClock clock;
    testing::FakeBackend backend;
    const Factory same = [&](const Args&) -> Timed { return [&] { return clock.work(100'000), 1.0; }; };
    const Factory off = [&](const Args&) -> Timed {
      return [&] { return clock.work(100'000), world.rank() == 1 ? 1.5 : 1.0; };
    };
    const GroupCases group = described([&](Group& g) {
      g.ranks(2);
      g.reference("same", same);
      g.variant("off", off).within(1);
    });
    const auto instances = group.instances();
    CaseRunner runner(backend, quick_settings(), clock, {}, world);
    const CaseResult ok = runner.run(group, instances[0], instances);
    EXPECT_EQ(ok.status, CaseStatus::ok) << ok.message;
    const CaseResult wrong = runner.run(group, instances[1], instances);
    EXPECT_EQ(wrong.status, CaseStatus::wrong);
    EXPECT_NE(wrong.message.text().find("its output differs between rank 0 and rank 1 by 0.5"), std::string::npos)
        << wrong.message;
    EXPECT_TRUE(wrong.measurements.empty());
  });
}

TEST(CaseOfRanks, IsSkippedInAWorldOfAnotherSize) {
  testing::FakeClock clock;
  testing::FakeBackend backend;
  const GroupCases group =
      described([&](Group& g) { g.ranks(2).sweep("v", [](const Args&) -> Timed { return [] { return 1; }; }); });
  const auto instances = group.instances();
  CaseRunner runner(backend, quick_settings(), clock);
  EXPECT_EQ(runner.run(group, instances[0], instances).status, CaseStatus::skipped);
}

// An exact metric that some rank cannot repeat is dropped for all ranks.
TEST(CaseOfRanks, CountsTheLargestOfAllRanks) {
  in_ranks(2, [](World& world) {
    testing::FakeClock clock;
    testing::FakeBackend backend;
    Observation first;
    first.total_operator_calls = 3 + world.rank();
    first.collective_bytes = 64;
    first.allocations = 5;
    Observation second = first;
    if (world.rank() == 1) second.allocations = 6;
    backend.observations = {first, second};
    const GroupCases group = described(
        [&](Group& g) { g.ranks(2).sweep("v", [&](const Args&) -> Timed { return [&] { clock.work(100'000); }; }); });
    const auto instances = group.instances();
    CaseRunner runner(backend, quick_settings(), clock, {}, world);
    const CaseResult result = runner.run(group, instances[0], instances);
    std::map<std::string, double> exact;
    for (const auto& m : result.measurements) {
      if (m.value) exact[m.metric] = *m.value;
    }
    EXPECT_EQ(exact, (std::map<std::string, double>{{"operator_calls", 4}, {"collective_bytes", 64}}));
    EXPECT_NE(result.message.text().find("allocations is not repeatable (5, then 6)"), std::string::npos)
        << result.message;
  });
}

}  // namespace
}  // namespace torchgate::bench
