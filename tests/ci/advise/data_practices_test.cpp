// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/advise/advised_run.hpp"

namespace torchgate::advise {
namespace {

using testing::na;
using testing::no;
using testing::one_case;
using testing::yes;

TEST(DataPractices, CallsAmortised) {
  const auto calls = [](double operators, double time_ns, const char* device = "cpu") {
    return one_case(device).timed("time", time_ns).exact("operator_calls", operators);
  };
  EXPECT_EQ(calls(100, 50'000).evidence("calls_amortised"), "calling its 100 operators takes 40 % of 50 us");
  EXPECT_DOUBLE_EQ(calls(100, 50'000).saves("calls_amortised"), 0.4);
  EXPECT_EQ(calls(100, 61'000).answer("calls_amortised"), yes);
  EXPECT_EQ(calls(100, 19'000).answer("calls_amortised"), na) << "too short to look at";
  EXPECT_EQ(calls(100, 50'000, "cuda").answer("calls_amortised"), na) << "there launches are counted";
}

TEST(DataPractices, LoaderKeepsUp) {
  EXPECT_EQ(one_case().timed("time", 100).timed("wait", 21).answer("loader_keeps_up"), no);
  EXPECT_EQ(one_case().timed("time", 100).timed("wait_time", 20).answer("loader_keeps_up"), yes);
  EXPECT_EQ(one_case().timed("time", 100).timed("wait", 90).exact("collective_calls", 1).answer("loader_keeps_up"), na)
      << "there it is the wait for other ranks";
}

TEST(DataPractices, ThreadsFit) {
  const auto threads = [](const char* count, const char* cpus) {
    return one_case().fact("intra_op_threads", count).fact("cpu_affinity", cpus).answer("threads_fit");
  };
  EXPECT_EQ(threads("2", "0-1"), yes);
  EXPECT_EQ(threads("3", "0-1"), no);
  EXPECT_EQ(threads("4", "0-1,4,6-7"), yes);
  EXPECT_EQ(threads("1", "all"), na);
}

TEST(DataPractices, Ranks) {
  constexpr double ms = 1e6;
  const auto spread = [](double time_ns, double spread_ns) {
    return one_case().timed("time", time_ns).timed("rank_spread", spread_ns).answer("ranks_balanced");
  };
  EXPECT_EQ(spread(100 * ms, 21 * ms), no);
  EXPECT_EQ(spread(100 * ms, 20 * ms), yes);
  EXPECT_EQ(spread(10 * ms, 4 * ms), yes) << "a time slice: the ranks may share a CPU";

  const auto messages = [](double calls, double bytes) {
    return one_case().exact("collective_calls", calls).exact("collective_bytes", bytes).answer("messages_bundled");
  };
  EXPECT_EQ(messages(8, 8 * 1000), no);
  EXPECT_EQ(messages(3, 3000), yes);
  EXPECT_EQ(messages(8, 8 * 65536), yes);
}

}  // namespace
}  // namespace torchgate::advise
