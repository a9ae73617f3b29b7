// SPDX-License-Identifier: Apache-2.0
// Values of Google Benchmark's rows that cannot be used: none is dropped without a word.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace torchgate::import
