// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <span>

#include "harness/import/directions.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;

fs::path fixture(const std::string& name) {
  return fs::path(TORCHGATE_TESTS_DIR) / "fixtures/import" / name;
}

std::string content(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class GoogleBenchmark : public ::testing::Test {
 protected:
  static base::Result<ImportedProcess> read(const std::string& text) {
    const auto source = [rest = std::string_view(text)](std::span<char> space) mutable -> base::Result<std::size_t> {
      const std::size_t count = rest.copy(space.data(), space.size());
      rest.remove_prefix(count);
      return count;
    };
    return read_google_benchmark(source, "file.json");
  }

  // A file with these entries.
  static base::Result<ImportedProcess> read_entries(const std::string& entries) {
    return read(R"({"context": {"num_cpus": 2}, "benchmarks": [)" + entries + "]}");
  }

  static std::string error_of(const std::string& entries) {
    const auto read = read_entries(entries);
    if (read) return "none";
    const std::string& message = read.error().message;
    return message.substr(message.find("file.json") + std::string("file.json: ").size());
  }
};

TEST_F(GoogleBenchmark, ReadsEveryKindOfEntry) {
  const auto processes = read_google_benchmark_file(fixture("google_benchmark_1.7.1.json"));
  ASSERT_TRUE(processes) << processes.error().message;
  ASSERT_EQ(processes->size(), 1U);
  const ImportedProcess& process = processes->front();
  EXPECT_EQ(process.started, "2026-11-21T05:03:47.000Z");
  EXPECT_EQ(process.warnings.size(), 2U) << "of the debug library, and of a counter that is NaN";
  std::vector<std::string> names;
  for (const ImportedCase& each : process.cases) names.push_back(each.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"broken", "manual", "none", "sum/n:1000", "sum/n:4000", "sum/n:500/threads:2"}));

  EXPECT_EQ(process.cases[0].failure, "no such device");
  EXPECT_TRUE(process.cases[0].time_ns.empty());

  // SetIterationTime(2e-6): 2 µs, whatever the machine.
  EXPECT_EQ(process.cases[1].protocol, "google-benchmark-manual/1");
  ASSERT_EQ(process.cases[1].time_ns.size(), 3U);
  for (const double time : process.cases[1].time_ns) EXPECT_NEAR(time, 2000, 1e-9);
  EXPECT_EQ(process.cases[1].calls_per_sample, 10);

  const ImportedCase& sum = process.cases[3];
  EXPECT_EQ(sum.protocol, "google-benchmark/1");
  EXPECT_EQ(sum.time_ns.front(), 2.8538911214845098e+02);
  EXPECT_EQ(sum.cpu_ns.front(), 2.8541040578545608e+02);
  EXPECT_EQ(sum.cpu_ns.size(), 3U);
  EXPECT_EQ(sum.items_per_call, 1000);  // SetItemsProcessed(iterations * n)
  EXPECT_EQ(sum.parameters, (std::vector<record::Parameter>{{"n", "1000"}}));
  EXPECT_EQ(process.cases[5].parameters, (std::vector<record::Parameter>{{"n", "500"}, {"threads", "2"}}));
}

// In the order of the repetitions, which is not that of the file.
TEST_F(GoogleBenchmark, ReadsRatesAndCounters) {
  auto read = read_google_benchmark_file(fixture("google_benchmark_counters.json"));
  ASSERT_TRUE(read) << read.error().message;
  ImportedProcess& process = read->front();
  settle_directions(process, {});
  ASSERT_EQ(process.cases.size(), 1U);
  const ImportedCase& serve = process.cases[0];
  ASSERT_EQ(serve.metrics.size(), 3U);
  EXPECT_EQ(serve.metrics[0].metric.name, "bytes_per_second");
  EXPECT_EQ(serve.metrics[0].metric.unit, "bytes/s");
  EXPECT_EQ(serve.metrics[1].metric.name, "items_per_second");
  EXPECT_EQ(serve.metrics[1].samples, (std::vector<double>{1990, 2000}));
  EXPECT_EQ(serve.metrics[2].metric.name, "requests_per_second");
  EXPECT_EQ(serve.metrics[2].metric.unit, "requests/s");
  for (const ImportedMetric& each : serve.metrics) {
    EXPECT_TRUE(each.metric.judged) << each.metric.name;
    EXPECT_EQ(each.metric.direction, record::Direction::higher_is_better) << each.metric.name;
  }
  EXPECT_EQ(serve.bytes_per_call, 64);
  ASSERT_EQ(process.warnings.size(), 2U);
  EXPECT_NE(process.warnings[1].find("own time, queue_depth: direction unknown, not judged; set it"), std::string::npos)
      << process.warnings[1];
}

// compare.py's own tests (tools/gbench/report.py) say of the two: BM_2xFaster 50 to 25, BM_10PercentSlower 100 to 110.
TEST_F(GoogleBenchmark, ReadsTheLayoutBeforeRunNames) {
  const auto before = read_google_benchmark_file(fixture("test1_run1.json"));
  const auto after = read_google_benchmark_file(fixture("test1_run2.json"));
  ASSERT_TRUE(before) << before.error().message;
  ASSERT_TRUE(after) << after.error().message;
  const auto time = [](const ImportedProcess& process, const std::string& name) {
    const auto found =
        std::find_if(process.cases.begin(), process.cases.end(), [&](const auto& c) { return c.name == name; });
    return found == process.cases.end() || found->time_ns.size() != 1 ? -1 : found->time_ns.front();
  };
  EXPECT_EQ(time(before->front(), "BM_2xFaster"), 50);
  EXPECT_EQ(time(after->front(), "BM_2xFaster"), 25);
  EXPECT_EQ(time(before->front(), "BM_10PercentSlower"), 100);
  EXPECT_EQ(time(after->front(), "BM_10PercentSlower"), 110);
  EXPECT_EQ(time(after->front(), "BM_NotBadTimeUnit"), 0.04 * 1e9);  // "s"
  EXPECT_EQ(before->front().started, "2016-08-02T17:44:46.000Z");
}

TEST_F(GoogleBenchmark, ReadsTheLayoutOfVersion15) {
  const auto processes = read_google_benchmark_file(fixture("googlecpp_output.json"));
  ASSERT_TRUE(processes) << processes.error().message;
  const ImportedProcess& process = processes->front();
  ASSERT_EQ(process.cases.size(), 2U);
  EXPECT_EQ(process.cases[0].name, "fib_10");
  EXPECT_EQ(process.cases[0].calls_per_sample, 3070566);
  EXPECT_EQ(process.cases[0].time_ns, std::vector<double>{2.1498980114547953e+02});
}

TEST_F(GoogleBenchmark, TakesRepetitionsInTheirOrderOfTime) {
  const auto process = read_entries(R"(
    {"name": "b", "run_name": "b", "run_type": "iteration", "repetition_index": 1, "real_time": 4, "time_unit": "us"},
    {"name": "a", "run_name": "a", "run_type": "iteration", "repetition_index": 1, "real_time": 2, "cpu_time": 1},
    {"name": "b", "run_name": "b", "run_type": "iteration", "repetition_index": 0, "real_time": 3, "time_unit": "us"},
    {"name": "a", "run_name": "a", "run_type": "iteration", "repetition_index": 0, "real_time": 1, "cpu_time": 2})");
  ASSERT_TRUE(process) << process.error().message;
  const auto& cases = process->cases;
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].time_ns, (std::vector<double>{1, 2}));
  EXPECT_EQ(cases[0].cpu_ns, (std::vector<double>{2, 1}));
  EXPECT_EQ(cases[1].time_ns, (std::vector<double>{3000, 4000}));
  EXPECT_TRUE(cases[1].cpu_ns.empty());
}

TEST_F(GoogleBenchmark, FailsACaseOfWhichARepetitionFailed) {
  const auto process = read_entries(R"(
    {"name": "a", "run_type": "iteration", "real_time": 1, "error_occurred": false, "error_message": ""},
    {"name": "a", "run_type": "iteration", "real_time": 0, "error_occurred": true, "error_message": "out of memory"},
    {"name": "b", "run_type": "iteration", "real_time": 0, "error_occurred": true},
    {"name": "c", "run_type": "iteration", "real_time": 0, "skipped": true, "skip_message": "no AVX"},
    {"name": "d", "run_type": "iteration", "real_time": 1},
    {"name": "d", "run_type": "iteration", "real_time": 0, "error_occurred": true, "error_message": ""},
    {"name": "e", "run_type": "iteration", "real_time": 1},
    {"name": "e", "run_type": "iteration", "real_time": 0, "skip_message": "", "skipped": true})");
  ASSERT_TRUE(process) << process.error().message;
  const auto& cases = process->cases;
  EXPECT_EQ(cases[0].failure, "out of memory");
  EXPECT_TRUE(cases[0].time_ns.empty());
  EXPECT_EQ(cases[1].failure, "no reason given");
  EXPECT_EQ(cases[2].skipped, "no AVX");
  EXPECT_EQ(cases[2].failure, "");
  EXPECT_EQ(cases[3].failure, "no reason given");
  EXPECT_EQ(cases[4].skipped, "no reason given");
}

TEST_F(GoogleBenchmark, KeepsSuffixesThatTellTwoBenchmarksApart) {
  const auto process = read_entries(R"(
    {"name": "a/min_time:1", "real_time": 1}, {"name": "a/min_time:2", "real_time": 2}, {"name": "b/real_time", "real_time": 3})");
  ASSERT_TRUE(process) << process.error().message;
  const auto& cases = process->cases;
  ASSERT_EQ(cases.size(), 3U);
  EXPECT_EQ(cases[0].name, "a/min_time:1");
  EXPECT_EQ(cases[1].name, "a/min_time:2");
  EXPECT_EQ(cases[2].name, "b");
}

TEST_F(GoogleBenchmark, TakesCountersOfMemoryThatAgree) {
  const auto process = read_entries(R"(
    {"name": "a", "real_time": 1, "allocs_per_iter": 2, "max_bytes_used": 10},
    {"name": "a", "real_time": 1, "allocs_per_iter": 2, "max_bytes_used": 12})");
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->cases[0].allocations, 2);
  EXPECT_EQ(process->cases[0].peak_bytes, std::nullopt);
  ASSERT_EQ(process->cases[0].metrics.size(), 1U);
  EXPECT_EQ(process->cases[0].metrics[0].metric.name, "peak_bytes_sampled");
  EXPECT_EQ(process->cases[0].metrics[0].samples, (std::vector<double>{10, 12}));
  EXPECT_FALSE(process->cases[0].metrics[0].metric.judged);
  const auto partly = read_entries(R"(
    {"name": "a", "real_time": 1, "max_bytes_used": 10}, {"name": "a", "real_time": 1},
    {"name": "a", "real_time": 1, "max_bytes_used": 12})");
  ASSERT_TRUE(partly) << partly.error().message;
  EXPECT_TRUE(partly->cases[0].metrics.empty());
}

TEST_F(GoogleBenchmark, NamesTheOtherCountersOfMemory) {
  auto process = read_entries(
      R"({"name": "a", "real_time": 1, "allocs_per_iter": 2, "max_bytes_used": 10, "total_allocated_bytes": 70})");
  ASSERT_TRUE(process) << process.error().message;
  settle_directions(*process, {});
  ASSERT_EQ(process->warnings.size(), 1U);
  EXPECT_NE(process->warnings[0].find("total_allocated_bytes: direction unknown, not judged; set it"),
            std::string::npos);
}

TEST_F(GoogleBenchmark, PassesOverAggregates) {
  const auto process = read_entries(R"(
    {"name": "a", "real_time": 1}, {"name": "a", "real_time": 1},
    {"name": "a_mean", "real_time": 7}, {"name": "a_median", "real_time": 7}, {"name": "a_stddev", "real_time": 0},
    {"name": "b_mean", "real_time": 5},
    {"name": "c_mean", "run_name": "c", "run_type": "aggregate", "real_time": 9})");
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_EQ(process->cases.size(), 2U);
  EXPECT_EQ(process->cases[0].time_ns, (std::vector<double>{1, 1}));
  EXPECT_EQ(process->cases[1].name, "b_mean");  // a name of its own: there is no b
  ASSERT_EQ(process->warnings.size(), 1U);
  EXPECT_NE(
      process->warnings[0].find("ignored 1 benchmark with only aggregates that are neither mean nor median, e.g. c"),
      std::string::npos);
}

// tools/gbench/report.py, its tests: OVERALL_GEOMEAN of test1 is -0.8112976 for the time and -0.7778551 for the CPU time.
TEST_F(GoogleBenchmark, HasTheGeometricMeansOfComparePy) {
  const auto before = read_google_benchmark_file(fixture("test1_run1.json"));
  const auto after = read_google_benchmark_file(fixture("test1_run2.json"));
  ASSERT_TRUE(before && after);
  double time_logs = 0;
  double cpu_logs = 0;
  double count = 0;
  for (const ImportedCase& was : before->front().cases) {
    for (const ImportedCase& is : after->front().cases) {
      if (is.name != was.name) continue;
      time_logs += std::log(is.time_ns.front() / was.time_ns.front());
      cpu_logs += std::log(is.cpu_ns.front() / was.cpu_ns.front());
      ++count;
    }
  }
  EXPECT_NEAR(std::expm1(time_logs / count), -0.8112976, 1e-7);
  EXPECT_NEAR(std::expm1(cpu_logs / count), -0.7778551, 1e-7);
}

// The same file compares BM_Zero with BM_One (compare.py filters): each of the four is half of the other.
TEST_F(GoogleBenchmark, ReadsTwoFamiliesOfOneFile) {
  const auto read = read_google_benchmark_file(fixture("google-benchmark/test2_run.json"));
  ASSERT_TRUE(read) << read.error().message;
  std::map<std::string, double> times;
  for (const ImportedCase& each : read->front().cases) times[each.name] = each.time_ns.front();
  EXPECT_EQ(times.size(), 10U);
  const std::vector<std::pair<std::string, std::string>> pairs{{"BM_Zero", "BM_One"},
                                                               {"BM_Zero/4", "BM_One/4"},
                                                               {"Prefix/BM_Zero", "Prefix/BM_One"},
                                                               {"Prefix/BM_Zero/3", "Prefix/BM_One/3"}};
  for (const auto& [zero, one] : pairs) EXPECT_DOUBLE_EQ(times.at(one) / times.at(zero) - 1, -0.5) << zero;
}

// The median of the tool's own aggregates is the one value, as the file has it.
TEST_F(GoogleBenchmark, TakesTheMedianWhereThereAreAggregatesOnly) {
  const auto processes = read_google_benchmark_file(fixture("aggregates_only.json"));
  ASSERT_TRUE(processes) << processes.error().message;
  const ImportedProcess& process = processes->front();
  ASSERT_EQ(process.cases.size(), 3U);
  for (const ImportedCase& each : process.cases) {
    ASSERT_EQ(each.time_ns.size(), 1U) << each.name;
    const std::string key = "\"name\": \"" + each.run_name + "_median\"";
    const std::string text = content(fixture("aggregates_only.json"));
    const std::size_t at = text.find("\"real_time\": ", text.find(key));
    ASSERT_NE(at, std::string::npos);
    const double unit = text.find("\"us\"", at) < text.find('}', at) ? 1e3 : 1;
    EXPECT_DOUBLE_EQ(each.time_ns.front(), unit * std::stod(text.substr(at + 13)));
    EXPECT_EQ(each.note, "the file has only the median of its repetitions");
    EXPECT_EQ(each.cpu_ns.size(), 1U);
    EXPECT_EQ(each.protocol.find(mean_protocol), std::string::npos);
  }
  EXPECT_EQ(process.warnings.size(), 1U) << "of the debug library alone";
  EXPECT_NE(process.no_spread.find("--benchmark_report_aggregates_only=false"), std::string::npos);
}

TEST_F(GoogleBenchmark, AMeanAloneIsAnotherProtocol) {
  const auto process = read_entries(
      R"({"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 5, "cpu_time": 4})");
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->cases[0].protocol, "google-benchmark/1 (mean)");
  EXPECT_EQ(process->cases[0].time_ns, std::vector<double>{5});
  EXPECT_EQ(process->cases[0].cpu_ns, std::vector<double>{4});
}

TEST_F(GoogleBenchmark, TakesNoPercentageForATime) {
  const auto only = read_google_benchmark_file(fixture("google-benchmark/test4_run0.json"));
  ASSERT_FALSE(only);
  EXPECT_NE(only.error().message.find("none of them is a mean or a median"), std::string::npos);
  const auto beside = read_entries(R"(
    {"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3},
    {"name": "a_median", "run_name": "a", "run_type": "aggregate", "aggregate_name": "median",
     "aggregate_unit": "percentage", "real_time": 0.1})");
  ASSERT_TRUE(beside) << beside.error().message;
  EXPECT_EQ(beside->cases[0].time_ns, std::vector<double>{3});
}

// One of its repetitions is enough, and the other cases keep their numbers.
TEST_F(GoogleBenchmark, ATimeThatNoClockSaysFailsItsCaseAlone) {
  const std::map<std::string, std::string> wrong{
      {R"("real_time": NaN)", "invalid real_time: NaN or infinite"},
      {R"("real_time": Infinity)", "invalid real_time: NaN or infinite"},
      {R"("real_time": -1)", "invalid real_time: -1 ns"},
      {R"("real_time": 1e300)", "invalid real_time: 1e+300 ns"},
      {R"("real_time": 1e305, "time_unit": "s")", "invalid real_time: inf ns"}};
  for (const auto& [time, why] : wrong) {
    const auto process = read_entries(R"({"name": "a", "real_time": 1}, {"name": "a", )" + time +
                                      R"(}, {"name": "a", "real_time": 2}, {"name": "b", "real_time": 3})");
    ASSERT_TRUE(process) << process.error().message;
    ASSERT_EQ(process->cases.size(), 2U);
    EXPECT_EQ(process->cases[0].failure, why);
    EXPECT_EQ(process->cases[1].failure, "");
    EXPECT_EQ(process->cases[1].time_ns, std::vector<double>{3});
  }
}

TEST_F(GoogleBenchmark, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(""), "no benchmarks; check its --benchmark_filter");
  EXPECT_EQ(error_of(R"({"name": "a"})"), "/benchmarks/0: missing key \"real_time\"");
  EXPECT_EQ(error_of(R"({"name": "a", "real_time": 1}, {"name": "b", "real_time": 1, "time_unit": "min"})"),
            "/benchmarks/1/time_unit: expected one of ns, us, ms, s, found \"min\"");
  EXPECT_EQ(error_of(R"({"real_time": 1})"), "/benchmarks/0: missing key \"name\"");
  EXPECT_EQ(error_of(R"({"name": "a", "real_time": "fast"})"),
            "/benchmarks/0/real_time: expected a number, found the string \"fast\"");
  EXPECT_EQ(error_of(R"({"name": "a", "real_time": 1} {)"),
            "/benchmarks: not JSON at byte 74: expected ',' or ']', found \"{\"");
}

// A benchmark that is cut off, an array that is not closed: an error for every length, and a crash for none.
TEST_F(GoogleBenchmark, RefusesEveryTruncation) {
  const std::string whole = content(fixture("google_benchmark_1.7.1.json"));
  const std::size_t last = whole.rfind('}');
  ASSERT_TRUE(read(whole.substr(0, last + 1)));
  for (std::size_t length = 0; length <= last; ++length) {
    const auto cut = read(whole.substr(0, length));
    ASSERT_FALSE(cut) << length;
    ASSERT_NE(cut.error().message.find("truncated after " + std::to_string(length) + " bytes"), std::string::npos)
        << cut.error().message;
  }
}

// Any single byte another one: read or refused, and what is read has only finite times.
TEST_F(GoogleBenchmark, SurvivesAnyWrongByte) {
  const std::string whole = content(fixture("googlecpp_output.json"));
  for (std::size_t position = 0; position < whole.size(); ++position) {
    for (const char wrong : {'\0', '"', '{', ']', '-', '9', '\\', 'N', '\xFF'}) {
      std::string text = whole;
      text[position] = wrong;
      const auto process = read(text);
      if (!process) continue;
      for (const ImportedCase& each : process->cases) {
        for (const double time : each.time_ns) ASSERT_TRUE(time >= 0 && time < 1e300) << position << wrong;
      }
    }
  }
}

TEST_F(GoogleBenchmark, ReadsThroughAWindow) {
  // More than two windows, so that it moves in mid-file, and every entry is found at its place.
  const std::string label(400, 'x');  // so that these are fewer names than a file may have
  std::string entries;
  int count = 0;
  for (; entries.size() < 2 * json::json_window_bytes + 1000; ++count) {
    entries += (count == 0 ? "" : ",\n") + std::string(R"({"name": "case)") + std::to_string(count) +
               R"(", "run_type": "iteration", "label": ")" + label + R"(", "real_time": )" + std::to_string(count) +
               "}";
  }
  const auto process = read_entries(entries);
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_EQ(process->cases.size(), static_cast<std::size_t>(count));
  for (const ImportedCase& each : process->cases) {
    ASSERT_EQ(each.time_ns.size(), 1U);
    ASSERT_EQ(each.name, "case" + std::to_string(static_cast<int>(each.time_ns.front())));
  }
  const std::string bad = error_of(entries + R"(, {"name": "last", "real_time": x}])");
  EXPECT_NE(bad.find("/benchmarks/" + std::to_string(count) + "/real_time: not JSON at byte "), std::string::npos)
      << bad;
  EXPECT_NE(bad.find(std::to_string(std::string(R"({"context": {"num_cpus": 2}, "benchmarks": [)").size() +
                                    entries.size() + std::string(R"(, {"name": "last", "real_time": )").size())),
            std::string::npos)
      << bad;
}

TEST_F(GoogleBenchmark, RefusesAnEntryLongerThanTheWindow) {
  const std::string huge(2 * json::json_window_bytes, 'x');
  const std::string bad = error_of(R"({"name": ")" + huge + R"(", "real_time": 1})");
  EXPECT_NE(bad.find("is longer than 1048576 bytes"), std::string::npos) << bad;
}

}  // namespace
}  // namespace torchgate::import
