// SPDX-License-Identifier: Apache-2.0
#include "harness/import/raw_samples.hpp"

#include <gtest/gtest.h>

namespace torchgate::import {
namespace {

ImportedCase measured(std::vector<double> time_ns, std::vector<std::int64_t> runs) {
  ImportedCase result;
  result.name = "BM_x";
  result.time_ns = std::move(time_ns);
  result.sample_runs = std::move(runs);
  return result;
}

TEST(RawSamples, ReadsOneRunALine) {
  const auto runs = read_raw_samples("1 1 100 200.5\n2 4 50\n7 1\n", "samples");
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 3U);
  EXPECT_EQ(runs->at(1).ns, (std::vector<double>{100, 200.5}));
  EXPECT_EQ(runs->at(2).calls_per_sample, 4);
  EXPECT_TRUE(runs->at(7).ns.empty());
}

TEST(RawSamples, NamesTheLineThatIsWrong) {
  for (const char* wrong : {"1 1 5\nx", "1 1 5\n2", "1 1 5\n2 0 5", "1 1 5\n2 1 -5", "1 1 5\n2 1 nan", "1 1 5\n2 1 5,6",
                            "1 1 5\n"
                            "2 1 inf"}) {
    const auto runs = read_raw_samples(wrong, "samples");
    ASSERT_FALSE(runs) << wrong;
    EXPECT_EQ(runs.error().message, "samples:2: expected the number of a run, the calls per sample, and times");
  }
}

TEST(RawSamples, TakeThePlaceOfTheMeans) {
  ImportedCase each = measured({100, 200}, {3, 4});
  EXPECT_EQ(use_raw_samples(each, {{3, {1, {90, 110}}}, {4, {1, {200}}}}), "");
  EXPECT_EQ(each.time_ns, (std::vector<double>{90, 110, 200}));
  EXPECT_EQ(each.calls_per_sample, 1);
}

ImportedMetric rate_of(std::vector<double> values, record::Direction better) {
  ImportedMetric rate{{"rate", "1", better, record::MetricKind::timed, false}, std::move(values), std::nullopt};
  rate.metric.judged = true;
  return rate;
}

// 1000 items a call: the rate of the mean, 100 ns, beside a median of 80 ns would be 800 of them.
TEST(RawSamples, ARateOfConstantWorkFollowsThem) {
  using enum record::Direction;
  const std::map<std::int64_t, RawRun> skewed{{1, {1, {80, 80, 80, 160}}}, {2, {1, {80, 82, 78, 160}}}};
  ImportedCase each = measured({100, 100}, {1, 2});
  each.run_name = "BM_x/real_time";
  each.cpu_ns = {90, 95};
  each.metrics = {rate_of({10, 10}, higher_is_better), rate_of({0.5, 0.5}, lower_is_better),
                  rate_of({10, 5}, higher_is_better)};
  ImportedCase by_cpu_time = each;
  by_cpu_time.run_name = "BM_x";
  ASSERT_EQ(use_raw_samples(each, skewed), "");
  EXPECT_EQ(each.metrics[0].samples, (std::vector<double>{12.5, 12.5})) << "1000 items in 80 ns";
  EXPECT_EQ(each.metrics[1].samples, (std::vector<double>{0.4, 0.4}));
  EXPECT_EQ(each.metrics[2].samples, (std::vector<double>{10, 5})) << "its work is not constant";
  for (const ImportedMetric& rate : each.metrics) EXPECT_TRUE(rate.metric.judged) << "other work is still found";
  ASSERT_EQ(use_raw_samples(by_cpu_time, skewed), "");
  EXPECT_EQ(by_cpu_time.metrics[0].samples, (std::vector<double>{10, 10})) << "it stays beside the CPU time";
}

TEST(RawSamples, ARateStaysWhereTheyAreNotUsed) {
  ImportedCase each = measured({100}, {1});
  each.metrics = {rate_of({10}, record::Direction::higher_is_better)};
  EXPECT_NE(use_raw_samples(each, {{1, {1, {150, 160}}}}), "");
  EXPECT_EQ(each.metrics[0].samples, std::vector<double>{10});
}

TEST(RawSamples, BlocksAreBroughtToOneSize) {
  ImportedCase each = measured({100, 200}, {1, 2});
  EXPECT_EQ(use_raw_samples(each, {{1, {1, {80, 120, 70, 130, 100}}}, {2, {2, {200, 200}}}}), "");
  EXPECT_EQ(each.time_ns, (std::vector<double>{100, 100, 200, 200}));
  EXPECT_EQ(each.calls_per_sample, 2);
}

TEST(RawSamples, WithPausesInThemAreNotUsed) {
  ImportedCase each = measured({100}, {1});
  EXPECT_NE(use_raw_samples(each, {{1, {1, {150, 160}}}}).find("pauses"), std::string::npos);
  EXPECT_EQ(each.time_ns, (std::vector<double>{100}));
}

TEST(RawSamples, AreUsedOnlyIfComplete) {
  ImportedCase each = measured({100, 100}, {1, 2});
  EXPECT_NE(use_raw_samples(each, {{1, {1, {100}}}}), "");
  EXPECT_EQ(each.time_ns, (std::vector<double>{100, 100}));
  ImportedCase without = measured({100}, {});
  EXPECT_EQ(use_raw_samples(without, {{1, {1, {5}}}}), "");
  EXPECT_EQ(without.time_ns, (std::vector<double>{100}));
}

}  // namespace
}  // namespace torchgate::import
