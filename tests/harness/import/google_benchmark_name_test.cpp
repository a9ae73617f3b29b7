// SPDX-License-Identifier: Apache-2.0
// The names are those that BenchmarkName::str() of google/benchmark 1.7.1 (src/benchmark_name.cc) puts together.
#include "harness/import/google_benchmark_name.hpp"

#include <gtest/gtest.h>

#include "harness/import/directions.hpp"
#include "harness/import/google_benchmark_entries.hpp"
#include "harness/import/imported_case.hpp"

namespace torchgate::import {
namespace {

TEST(GoogleBenchmarkName, KeepsWhatTellsBenchmarksApart) {
  for (const char* name : {"BM_x", "BM_x/8/64", "BM_x<std::vector<int>>/n:8", "ns::BM_x/8", "Fixture/case/1", "/", "",
                           "BM_x/real_timer", "BM_x/repeats:", "BM_x/repeats:many", "real_time"}) {
    EXPECT_EQ(parse_google_benchmark_name(name).name, name);
  }
}

TEST(GoogleBenchmarkName, DropsHowItWasRun) {
  for (const char* suffix : {"/min_time:0.500", "/min_warmup_time:1", "/iterations:10", "/repeats:3", "/process_time",
                             "/real_time", "/manual_time", "/min_time:0.5/repeats:3/process_time/real_time"}) {
    EXPECT_EQ(parse_google_benchmark_name(std::string("BM_x/8") + suffix).name, "BM_x/8") << suffix;
    EXPECT_EQ(parse_google_benchmark_name(std::string("BM_x/8") + suffix + "/threads:4").name, "BM_x/8/threads:4");
  }
}

TEST(GoogleBenchmarkName, KeepsArgumentsThatAreCalledLikeSettings) {
  const auto name = [](const char* run_name) { return parse_google_benchmark_name(run_name, {4000, 3}).name; };
  EXPECT_EQ(name("BM_x/iterations:4000/repeats:3/real_time"), "BM_x");
  EXPECT_EQ(name("BM_x/iterations:100/real_time"), "BM_x/iterations:100");
  EXPECT_EQ(name("BM_x/repeats:100"), "BM_x/repeats:100");
  EXPECT_EQ(name("BM_x/iterations:100/iterations:4000/repeats:3"), "BM_x/iterations:100");
  EXPECT_EQ(name("BM_x/iterations:1000/threads:4"), "BM_x/threads:4") << "rows have the iterations of all threads";
  EXPECT_EQ(name("BM_x/iterations:1e3"), "BM_x");
  EXPECT_EQ(parse_google_benchmark_name("BM_x/iterations:100/repeats:3", {{}, 3}).name, "BM_x");
  EXPECT_EQ(parse_google_benchmark_name("BM_x/iterations:100", {743, {}}).parameters,
            (std::vector<record::Parameter>{{"iterations", "100"}}));
}

TEST(GoogleBenchmarkName, FindsNamedArgumentsAndThreads) {
  using Parameters = std::vector<record::Parameter>;
  EXPECT_EQ(parse_google_benchmark_name("a:b/n:8/16/layout:nchw/n:9/real_time/threads:4").parameters,
            (Parameters{{"n", "8"}, {"layout", "nchw"}, {"threads", "4"}}));
  EXPECT_EQ(parse_google_benchmark_name("BM_x<a::b>/std::vector/:1/n:").parameters, Parameters());
}

TEST(GoogleBenchmarkName, TellsAnArgumentThreadsFromThreads) {
  const auto parsed = [](std::optional<std::int64_t> threads) {
    return parse_google_benchmark_name("BM_x/iterations:1000/threads:4", {4000, {}, threads});
  };
  EXPECT_FALSE(parsed(std::nullopt).threads_argument);
  EXPECT_FALSE(parsed(4).threads_argument);
  EXPECT_EQ(parsed(4).name, "BM_x/threads:4");
  EXPECT_TRUE(parsed(1).threads_argument);
  EXPECT_EQ(parsed(1).name, "BM_x/iterations:1000/threads:4");
  EXPECT_EQ(parsed(1).parameters,
            (std::vector<record::Parameter>{{"iterations", "1000"}, {"threads", "4"}, {"threads of the run", "1"}}));
  EXPECT_EQ(parsed(4).parameters, (std::vector<record::Parameter>{{"threads", "4"}}));
}

TEST(GoogleBenchmarkName, ThreadsThatTheNameDoesNotHaveAreAParameter) {
  const auto parameters = [](std::optional<std::int64_t> threads) {
    return parse_google_benchmark_name("BM_x/n:8/real_time", {{}, {}, threads}).parameters;
  };
  using Parameters = std::vector<record::Parameter>;
  EXPECT_EQ(parameters(4), (Parameters{{"n", "8"}, {"threads", "4"}}));
  EXPECT_EQ(parameters(1), (Parameters{{"n", "8"}}));
  EXPECT_EQ(parameters(std::nullopt), (Parameters{{"n", "8"}})) << "of versions that do not write it";
}

TEST(GoogleBenchmarkName, AnArgumentThreadsDoesNotDivideTheTime) {
  const auto failure = [](std::int64_t threads, double time) {
    GoogleBenchmarkEntry entry;
    entry.name = entry.run_name = "BM_x/threads:64";
    entry.run_type = "iteration";
    entry.has_real_time = true;
    entry.real_time = time;
    entry.threads = threads;
    GoogleBenchmarkEntries entries;
    EXPECT_EQ(entries.add(entry), "");
    return entries.finish({}).value().cases.at(0).failure;
  };
  EXPECT_EQ(failure(64, 0.01), "");
  EXPECT_EQ(failure(1, 0.3), "");
  EXPECT_EQ(failure(1, 0.01),
            "time of 0.01 ns: measures nothing, a clock cycle takes longer; check that the compiler does not remove "
            "the work");
}

TEST(GoogleBenchmarkName, KnowsWhichTimeWasMeasured) {
  EXPECT_FALSE(parse_google_benchmark_name("BM_x/process_time").real_time);
  EXPECT_TRUE(parse_google_benchmark_name("BM_x/process_time/real_time").real_time);
  EXPECT_FALSE(parse_google_benchmark_name("BM_x/real_time").manual_time);
  EXPECT_TRUE(parse_google_benchmark_name("BM_x/manual_time/threads:2").manual_time);
  EXPECT_TRUE(parse_google_benchmark_name("BM_x/manual_time").real_time);
  using record::Clock;
  const auto clocks = [](const char* name) {
    const auto parsed = parse_google_benchmark_name(name);
    return std::pair(cpu_clock_of(parsed), rate_clock_of(parsed));
  };
  EXPECT_EQ(clocks("BM_x"), std::pair(Clock::cpu, Clock::cpu));
  EXPECT_EQ(clocks("BM_x/real_time"), std::pair(Clock::cpu, Clock::real));
  EXPECT_EQ(clocks("BM_x/process_time"), std::pair(Clock::process_cpu, Clock::process_cpu));
  EXPECT_EQ(clocks("BM_x/process_time/real_time"), std::pair(Clock::process_cpu, Clock::real));
}

GoogleBenchmarkEntry entry_of(const std::string& name, std::int64_t iterations) {
  GoogleBenchmarkEntry entry;
  entry.name = entry.run_name = name;
  entry.run_type = "iteration";
  entry.iterations = iterations;
  entry.has_iterations = entry.has_real_time = true;
  entry.real_time = entry.cpu_time = 100;
  return entry;
}

TEST(GoogleBenchmarkEntries, ATimeOfNoIterationsFailsItsCase) {
  GoogleBenchmarkEntries entries;
  EXPECT_EQ(entries.add(entry_of("a", 0)), "");
  EXPECT_EQ(entries.add(entry_of("b", 1)), "");
  const auto process = entries.finish({});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->cases.at(0).failure, "a time of 0 iterations");
  EXPECT_EQ(process->cases.at(1).failure, "");
}

// Nothing else says what is better.
TEST(GoogleBenchmarkEntries, ACounterThatIsCalledByAUnitOfTimeIsATime) {
  GoogleBenchmarkEntries entries;
  GoogleBenchmarkEntry entry = entry_of("a", 1);
  entry.counters = {{"milliseconds", 5}, {"min", 3}};
  EXPECT_EQ(entries.add(std::move(entry)), "");
  auto process = entries.finish({});
  ASSERT_TRUE(process) << process.error().message;
  settle_directions(*process, Directions());
  ASSERT_EQ(process->cases.at(0).metrics.size(), 1U);
  EXPECT_EQ(process->cases[0].metrics[0].metric.name, "milliseconds");
  EXPECT_EQ(process->cases[0].metrics[0].metric.direction, record::Direction::lower_is_better);
}

// Of how many calls a median is, is not known.
TEST(GoogleBenchmarkEntries, AnAggregateAloneIsASummary) {
  GoogleBenchmarkEntries entries;
  GoogleBenchmarkEntry median = entry_of("a", 3);
  median.run_type = "aggregate";
  median.aggregate_name = "median";
  EXPECT_EQ(entries.add(std::move(median)), "");
  EXPECT_EQ(entries.add(entry_of("b", 3)), "");
  const auto process = entries.finish({});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_TRUE(result_of(process->cases.at(0), "a").only_summary);
  EXPECT_FALSE(result_of(process->cases.at(1), "b").only_summary);
}

}  // namespace
}  // namespace torchgate::import
