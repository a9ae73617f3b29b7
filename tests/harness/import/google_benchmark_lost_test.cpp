// SPDX-License-Identifier: Apache-2.0
// Values of Google Benchmark's rows that cannot be used: none is dropped without a word.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "harness/import/google_benchmark.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

base::Result<ImportedProcess> read_rows(const std::string& entries) {
  const std::string text = R"({"context": {"num_cpus": 2}, "benchmarks": [)" + entries + "]}";
  return read_google_benchmark(testing::in_odd_pieces(text), "file.json");
}

TEST(GoogleBenchmarkLost, AWarningNamesCountersThatSomeRepetitionsLack) {
  const auto row = [](int repetition, const std::string& counters) {
    return R"({"name": "a", "run_type": "iteration", "repetition_index": )" + std::to_string(repetition) +
           R"(, "real_time": 5, "requests_per_second": 9)" + counters + "}";
  };
  const auto process = read_rows(row(0, R"(, "items_per_second": NaN, "hits_per_second": 3)") + ',' +
                                 row(1, R"(, "items_per_second": 7, "late_per_second": 3)"));
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_EQ(process->cases[0].metrics.size(), 1U);
  EXPECT_EQ(process->cases[0].metrics[0].metric.name, "requests_per_second");
  EXPECT_EQ(process->warnings,
            std::vector<std::string>{"hits_per_second of a, items_per_second of a, late_per_second of a: missing or "
                                     "not finite in some repetitions, not compared"});
  const auto all = read_rows(row(0, "") + ',' + row(1, ""));
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(all->warnings.empty());
  const auto mean = read_rows(
      R"({"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 5, "x": NaN})");
  ASSERT_TRUE(mean) << mean.error().message;
  EXPECT_EQ(mean->warnings,
            std::vector<std::string>{"x of a: missing or not finite in some repetitions, not compared"});
}

TEST(GoogleBenchmarkLost, AWarningNamesCountersThatAreTooMany) {
  std::string counters;
  for (int i = 100; i < 210; ++i) counters += ", \"c" + std::to_string(i) + "_per_second\": 1";
  const std::string row = R"({"name": "a", "run_type": "iteration", "real_time": 5, "repetition_index": )";
  const auto process = read_rows(row + '0' + counters + "}, " + row + '1' + counters + '}');
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->cases[0].metrics.size(), 100U);
  EXPECT_EQ(process->warnings, std::vector<std::string>{
                                   "c200_per_second of a, c201_per_second of a, c202_per_second of a, c203_per_second "
                                   "of a, c204_per_second of a and 5 more: more than 100 counters of one benchmark, "
                                   "not compared"});
}

// As rows of repetitions do, whether or not the benchmark has any.
TEST(GoogleBenchmarkLost, AnInvalidAggregateFailsItsCase) {
  const auto mean = [](const std::string& more, const std::string& time = "5") {
    return R"({"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean", "real_time": )" +
           time + more + "}";
  };
  const std::string other = R"(, {"name": "b", "real_time": 7})";
  const std::map<std::string, std::string> wrong{
      {mean(R"(, "error_occurred": true, "error_message": "CUDA error")"), "CUDA error"},
      {mean(R"(, "error_occurred": true)"), "no reason given"},
      {mean(R"(, "iterations": 0)"), "a time of 0 iterations"},
      {mean("", "NaN"), "invalid real_time: NaN or infinite"}};
  for (const auto& [row, why] : wrong) {
    const auto process = read_rows(row + other);
    ASSERT_TRUE(process) << process.error().message;
    ASSERT_EQ(process->cases.size(), 2U) << row;
    EXPECT_EQ(process->cases[0].failure, why) << row;
    EXPECT_TRUE(process->cases[0].time_ns.empty()) << row;
    EXPECT_EQ(process->cases[1].failure, "") << row;
  }
  const auto alone = read_rows(mean(R"(, "error_occurred": true)"));
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_EQ(alone->cases[0].failure, "no reason given");
  const auto skipped = read_rows(mean(R"(, "skipped": true, "skip_message": "no AVX")") + other);
  ASSERT_TRUE(skipped) << skipped.error().message;
  EXPECT_EQ(skipped->cases[0].skipped, "no AVX");
  const auto beside = read_rows(R"({"name": "a", "run_type": "iteration", "repetition_index": 0, "real_time": 4}, )" +
                                mean(R"(, "error_occurred": true)"));
  ASSERT_TRUE(beside) << beside.error().message;
  EXPECT_EQ(beside->cases[0].failure, "no reason given");
}

}  // namespace
}  // namespace torchgate::import
