// SPDX-License-Identifier: Apache-2.0
#include "harness/import/action_benchmark.hpp"

#include <fmt/format.h>

#include <tuple>

#include "harness/import/directions.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::find_case;
using testing::fixture_text;
using testing::names_of;
using testing::processes_in;
using testing::warns;

TEST(ActionBenchmark, ImportsTheNewestEntryOfEachSuite) {
  for (const char* const name : {"action/data.js", "action/data.json"}) {
    EXPECT_TRUE(is_action_benchmark(fixture_text(name))) << name;
    auto read = processes_in(read_action_benchmark(fixture_text(name), "data"));
    ASSERT_EQ(read.size(), 1U);
    settle_directions(read[0], {});
    EXPECT_EQ(names_of(read[0]), (std::vector<std::string>{"C++/BM_sum", "Go/BenchmarkSum", "Go/BenchmarkSum - B/op",
                                                           "Other/size", "Python/test_sum"}));
    EXPECT_EQ(read[0].cases[0].time_ns, std::vector<double>{2500});
    EXPECT_EQ(read[0].cases[1].time_ns, std::vector<double>{250}) << "not the older 100";
    EXPECT_EQ(read[0].cases[2].metrics[0].metric.direction, record::Direction::lower_is_better);
    EXPECT_EQ(read[0].cases[4].metrics[0].metric.direction, record::Direction::higher_is_better);
    EXPECT_TRUE(read[0].cases[3].metrics.empty()) << "MB of an unknown tool";
    EXPECT_EQ(read[0].source.commit, std::string(40, 'b'));
    EXPECT_EQ(read[0].started, "2024-01-22T04:54:04.012Z");  // date -u -d @1705899244
    EXPECT_TRUE(warns(read[0], "\"Go\" has 2 entries; the newest one, of commit bbb"));
    EXPECT_TRUE(warns(read[0], "one value per case and no spread"));
    EXPECT_TRUE(warns(read[0], "Other/size: direction unknown, not judged"));
  }
}

TEST(ActionBenchmark, ASuiteOfAnEarlierCommitIsAWarning) {
  const auto entry = [](char commit, int date, int value) {
    return fmt::format(
        R"({{"date":{},"tool":"go","commit":{{"id":"{}"}},"benches":[{{"name":"b","value":{},"unit":"ns"}}]}})", date,
        std::string(40, commit), value);
  };
  const auto read = [](const std::string& core, const std::string& net) {
    return processes_in(
               read_action_benchmark(
                   fmt::format(R"({{"lastUpdate":1,"entries":{{"core":[{}],"net":[{}]}}}})", core, net), "data"))
        .at(0);
  };
  const std::string words = "1 suite was not measured for commit bbbbbbbbbbbb, that of the newest entry: \"net\"";
  const ImportedProcess stale = read(entry('a', 1000, 5) + "," + entry('b', 9000, 6), entry('a', 2000, 7));
  EXPECT_TRUE(warns(stale, words));
  EXPECT_EQ(stale.source.commit, std::string(40, 'b')) << "that of the date, not of the last suite";
  EXPECT_EQ(stale.started, "1970-01-01T00:00:09.000Z");
  EXPECT_EQ(stale.cases.at(0).measured_at, "1970-01-01T00:00:09.000Z");
  EXPECT_EQ(stale.cases.at(1).measured_at, "1970-01-01T00:00:02.000Z");
  EXPECT_FALSE(warns(read(entry('b', 9000, 6), entry('b', 2000, 7)), words)) << "a suite of the same commit";
}

TEST(ActionBenchmark, HasTheFullHashOfACommit) {
  const auto commit_of = [](const std::string& id) {
    const std::string text = R"({"lastUpdate":1,"entries":{"S":[{"date":1,"tool":"go","commit":{"id":")" + id +
                             R"("},"benches":[{"name":"b","value":5,"unit":"ns"}]}]}})";
    return processes_in(read_action_benchmark(text, "data")).at(0).source.commit.value_or("");
  };
  for (const std::size_t digits : {40U, 64U}) EXPECT_EQ(commit_of(std::string(digits, 'a')), std::string(digits, 'a'));
  EXPECT_EQ(commit_of(std::string(41, 'a')), "");
  EXPECT_EQ(commit_of("main"), "");
}

TEST(ActionBenchmark, ReadsAListOfValues) {
  auto read = processes_in(read_action_benchmark(fixture_text("action/custom.json"), "custom"));
  settle_directions(read[0], {});
  EXPECT_EQ(names_of(read[0]), (std::vector<std::string>{"latency", "size"}));
  EXPECT_EQ(read[0].cases[0].time_ns, std::vector<double>{1.5e6});
  EXPECT_TRUE(warns(read[0], "size: direction unknown, not judged; set it with `--better 'size=higher'`"));
}

// What the tool of an entry says of a value with this unit; absent: nothing, or that it is a time.
std::optional<record::Direction> direction_by(const std::string& tool, const std::string& unit) {
  const std::string text = R"({"lastUpdate":1,"entries":{"S":[{"date":1,"tool":")" + tool +
                           R"(","benches":[{"name":"b","value":5,"unit":")" + unit + R"("}]}]}})";
  auto read = processes_in(read_action_benchmark(text, "data"));
  if (read.empty()) return std::nullopt;
  settle_directions(read[0], {});
  const auto& metrics = read[0].cases[0].metrics;
  return metrics.empty() ? std::nullopt : std::optional(metrics[0].metric.direction);
}

TEST(ActionBenchmark, TheToolOfTheUserWinsOverTheUnit) {
  using enum record::Direction;
  for (const char* const unit : {"errors/s", "allocs/s", "cache-misses/s", "ms/s", "J/s", "ops/s"})
    EXPECT_EQ(direction_by("customSmallerIsBetter", unit), lower_is_better) << unit;
  for (const char* const unit : {"req/s", "MB", "tps", "%"})
    EXPECT_EQ(direction_by("customBiggerIsBetter", unit), higher_is_better) << unit;
  for (const char* const unit : {"ops/s", "ops/ms", "ops/min", "ops/hr", "ops/day", "ops/time"})
    EXPECT_EQ(direction_by("jmh", unit), higher_is_better) << unit;
  for (const char* const unit : {"tps", "mgasps", "Gbps", "hit%", "errors/s"})
    EXPECT_EQ(direction_by("go", unit), std::nullopt) << unit;
  EXPECT_EQ(direction_by("go", "MB/s"), higher_is_better);
  EXPECT_EQ(direction_by("go", "allocs/op"), lower_is_better);
  EXPECT_EQ(direction_by("customBiggerIsBetter", "ms/ggas"), std::nullopt) << "a time of which more is better";
}

ImportedProcess action_of(const std::string& tool, const std::string& benches) {
  auto read = processes_in(read_action_benchmark(
      R"({"lastUpdate":1,"entries":{"S":[{"date":1,"tool":")" + tool + R"(","benches":[)" + benches + "]}]}}", "data"));
  return read.size() == 1 ? std::move(read.front()) : ImportedProcess();
}

// `go test -benchmem`: src/extract.ts has the rest of the line as the unit of its first value.
TEST(ActionBenchmark, TheValuesOfALineOfGoAreItsMetrics) {
  const ImportedProcess read = action_of("go", R"(
      {"name":"A","value":1000,"unit":"ns/op\t 4.00 MB/s\t        12.00 nodes/op\t    1048576 B/op\t      12345 allocs/op"},
      {"name":"B","value":5,"unit":"widgets/s 16 B/op"},
      {"name":"C","value":5,"unit":"a unit of words"},
      {"name":"D","value":5,"unit":"ns/op\tNaN nodes/op"})");
  const ImportedCase& a = *find_case(read, "S/A");
  EXPECT_EQ(a.time_ns, std::vector<double>{1000});
  EXPECT_EQ(a.bytes_per_call, 4);
  std::vector<std::tuple<std::string, std::string, double>> found;
  for (const ImportedMetric& each : a.metrics)
    found.emplace_back(each.metric.name, each.metric.unit,
                       each.value.value_or(each.samples.empty() ? 0 : each.samples[0]));
  EXPECT_EQ(found, (std::vector<std::tuple<std::string, std::string, double>>{{"nodes/op", "nodes/op", 12},
                                                                              {"allocated_bytes", "bytes", 1048576},
                                                                              {"allocations", "1", 12345},
                                                                              {"MB/s", "MB/s", 4}}));
  const ImportedCase& b = *find_case(read, "S/B");
  ASSERT_EQ(b.metrics.size(), 2U);
  EXPECT_EQ(b.metrics[0].metric.name, value_metric);
  EXPECT_EQ(b.metrics[0].metric.unit, "widgets/s");
  EXPECT_EQ(b.metrics[1].value, 16);
  EXPECT_EQ(find_case(read, "S/C")->metrics.at(0).metric.unit, "a unit of words");
  EXPECT_EQ(find_case(read, "S/D")->failure, "invalid value: nan nodes/op");
  EXPECT_EQ(action_of("jmh", R"({"name":"A","value":5,"unit":"ops/s 3 B/op"})").cases.at(0).metrics.size(), 1U);
}

// Since version 1.18 of the action.
TEST(ActionBenchmark, ALineOfGoLeavesOutWhatHasAnEntry) {
  const ImportedProcess read = action_of("go", R"(
      {"name":"A","value":1000,"unit":"ns/op\t 16 B/op\t 1 allocs/op"},{"name":"A - ns/op","value":1000,"unit":"ns/op"},
      {"name":"A - B/op","value":16,"unit":"B/op"},{"name":"A - allocs/op","value":1,"unit":"allocs/op"})");
  EXPECT_EQ(names_of(read), (std::vector<std::string>{"S/A", "S/A - B/op", "S/A - allocs/op", "S/A - ns/op"}));
  EXPECT_EQ(read.cases.at(0).time_ns, std::vector<double>{1000});
  EXPECT_TRUE(read.cases.at(0).metrics.empty());
}

std::string google_rows(const std::vector<std::tuple<std::string, double, int>>& rows) {
  std::string text;
  for (const auto& [name, value, iterations] : rows)
    text += fmt::format(R"({}{{"name":"{}","value":{},"unit":"ns/iter","extra":"iterations: {}\ncpu: 1 ns"}})",
                        text.empty() ? "" : ",", name, value, iterations);
  return text;
}

// Each row of Google Benchmark has an entry: also those of --benchmark_repetitions=3, of which cv is not a time.
TEST(ActionBenchmark, LeavesOutAggregatesOfGoogleBenchmark) {
  const std::string repeated = google_rows({{"BM_a", 100, 1000},
                                            {"BM_a", 101, 1000},
                                            {"BM_a", 102, 1000},
                                            {"BM_a_mean", 101, 3},
                                            {"BM_a_median", 101, 3},
                                            {"BM_a_stddev", 0.5, 3},
                                            {"BM_a_cv", 0.005, 3},
                                            {"BM_b", 7, 1000},
                                            {"BM_b_median", 8, 1000}});
  const ImportedProcess read = action_of("googlecpp", repeated);
  EXPECT_EQ(names_of(read), (std::vector<std::string>{"S/BM_a", "S/BM_a#2", "S/BM_a#3", "S/BM_b", "S/BM_b_median"}));
  EXPECT_EQ(action_of("customSmallerIsBetter", repeated).cases.size(), 9U) << "another tool's names";
  const ImportedProcess alone = action_of("googlecpp", google_rows({{"BM_a_mean", 103, 3},
                                                                    {"BM_a_median", 101, 3},
                                                                    {"BM_a_stddev", 0.5, 3},
                                                                    {"BM_b_mean", 5, 3},
                                                                    {"BM_b_stddev", 0.5, 3}}));
  EXPECT_EQ(names_of(alone), (std::vector<std::string>{"S/BM_a", "S/BM_b"}));
  EXPECT_EQ(alone.cases.at(0).time_ns, std::vector<double>{101});
  EXPECT_EQ(alone.cases.at(0).note, "the file has only the median of its repetitions");
  EXPECT_EQ(alone.cases.at(1).protocol, std::string("github-action-benchmark/1") + mean_protocol);
  const ImportedProcess unsure = action_of(
      "googlecpp", repeated + "," + google_rows({{"BM_c_mean", 5, 3}, {"BM_c_stddev", 1, 3}, {"BM_c_max", 6, 3}}));
  EXPECT_EQ(unsure.cases.size(), 7U) << "BM_b and BM_b_median have one row";
  const ImportedProcess ignored =
      action_of("googlecpp", google_rows({{"BM_c_mean", 5, 3}, {"BM_c_stddev", 1, 3}, {"BM_c_max", 6, 3}}));
  EXPECT_EQ(names_of(ignored), std::vector<std::string>{"S/BM_c"});
  EXPECT_TRUE(warns(ignored, "data: \"S\": ignored 1 row behind the aggregates of a benchmark"));
}

TEST(ActionBenchmark, AnEntryWithoutAValueIsLeftOut) {
  const std::string fit = R"(,{"name":"BM_a_BigO","unit":"ns/iter"},{"name":"BM_a_RMS","unit":"undefined/iter"})";
  const ImportedProcess complexity = action_of("googlecpp", google_rows({{"BM_a", 100, 1000}}) + fit);
  EXPECT_EQ(names_of(complexity), std::vector<std::string>{"S/BM_a"});
  EXPECT_FALSE(warns(complexity, "no value"));
  const ImportedProcess other = action_of("julia", R"({"name":"a","value":5,"unit":"ns"},{"name":"b","unit":"ns"})");
  EXPECT_EQ(names_of(other), std::vector<std::string>{"S/a"});
  EXPECT_TRUE(warns(other, "data: \"S\": 1 benchmark has no value, e.g. \"b\": ignored; give the files of the tool"));
  EXPECT_EQ(find_case(action_of("julia", R"({"name":"a","value":null,"unit":"ns"})"), "S/a")->failure,
            "invalid time: NaN or infinite");
  const auto list = read_action_benchmark(R"([{"name":"a","unit":"ns"}])", "list");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().message, "list: /0: missing key \"value\"");
}

// What one token takes is not what one character takes, whatever the unit of time; a call is the benchmark itself.
TEST(ActionBenchmark, ATimePerWorkKeepsItsWork) {
  const auto imported = [](const std::string& unit, const std::string& value) {
    auto read =
        processes_in(read_action_benchmark(R"([{"name":"b","unit":")" + unit + R"(","value":)" + value + "}]", "data"));
    settle_directions(read.at(0), {});
    return read.at(0).cases.at(0);
  };
  for (const auto& [unit, in_ns, ns] :
       {std::tuple("ns/token", "ns/token", 0.04), std::tuple("ms/frame", "ns/frame", 4e4),
        std::tuple("us per byte", "ns/byte", 40.0)}) {
    const ImportedCase one = imported(unit, "0.04");
    ASSERT_EQ(one.metrics.size(), 1U) << unit;
    EXPECT_TRUE(one.time_ns.empty()) << unit;
    EXPECT_EQ(one.metrics[0].metric.unit, in_ns);
    EXPECT_EQ(one.metrics[0].metric.direction, record::Direction::lower_is_better);
    EXPECT_NEAR(one.metrics[0].samples.at(0), ns, 1e-9);
  }
  for (const char* const unit : {"ms", "ms/op", "ms/iter", "ms per call", "ms/runs"})
    EXPECT_EQ(imported(unit, "2").time_ns, std::vector<double>{2e6}) << unit;
  EXPECT_EQ(imported("ns/token", "-1").failure, "invalid value: -1 ns/token");
}

// Of a list its writer may have rounded the time; ci/gate knows the other side.
TEST(ActionBenchmark, ATimeOfZeroIsAFailureOfAToolThatMeasures) {
  const auto zero = [](const std::string& tool, const std::string& unit) {
    return action_of(tool, R"({"name":"b","value":0,"unit":")" + unit + R"("})").cases.at(0);
  };
  for (const char* const tool : {"customSmallerIsBetter", ""}) {
    EXPECT_EQ(zero(tool, "ms").time_ns, std::vector<double>{0});
    EXPECT_EQ(zero(tool, "ms/frame").metrics.at(0).samples, std::vector<double>{0});
    EXPECT_EQ(zero(tool, "ms/frame").failure, "");
  }
  EXPECT_EQ(zero("go", "ns/op").failure,
            "time of 0 ns: measures nothing, a clock cycle takes longer; check that the compiler does not remove the "
            "work");
  EXPECT_EQ(zero("go", "ns/token").failure, "invalid value: 0 ns/token");
}

TEST(ActionBenchmark, TheUserWinsOverTheUnit) {
  const auto settled = [](const std::string& text, const std::string& said) {
    auto read = processes_in(read_action_benchmark(text, "data"));
    settle_directions(read.at(0), *Directions::parse({said}));
    return read.at(0).cases.at(0);
  };
  const std::string list = R"([{"name":"battery life","unit":"h","value":10}])";
  for (const char* const name : {"battery life", "h", "value"}) {
    const auto better = settled(list, std::string(name) + "=higher");
    ASSERT_EQ(better.metrics.size(), 1U) << name;
    EXPECT_EQ(better.metrics[0].metric.direction, record::Direction::higher_is_better);
    EXPECT_EQ(better.metrics[0].metric.unit, "h");
    EXPECT_EQ(better.metrics[0].samples, std::vector<double>{10});
    EXPECT_TRUE(better.time_ns.empty());
  }
  for (const char* const said : {"battery life=lower", "other=higher", "*=higher"})
    EXPECT_EQ(settled(list, said).time_ns, std::vector<double>{3.6e13}) << said;
  const std::string negative = R"([{"name":"slack","unit":"ms","value":-1}])";
  EXPECT_EQ(settled(negative, "slack=lower").failure, "invalid time: -1e+06 ns");
  EXPECT_EQ(settled(negative, "slack=higher").metrics.at(0).samples, std::vector<double>{-1});
  EXPECT_NE(settled(R"([{"name":"x","unit":"ms","value":NaN}])", "x=higher").failure, "");
  const std::string of_tool =
      R"({"lastUpdate":1,"entries":{"S":[{"date":1,"tool":"pytest","benches":[{"name":"b","value":5,"unit":"tps"}]}]}})";
  EXPECT_EQ(settled(of_tool, "*=lower").metrics.at(0).metric.direction, record::Direction::higher_is_better);
  EXPECT_EQ(settled(of_tool, "S/b=lower").metrics.at(0).metric.direction, record::Direction::lower_is_better);
}

}  // namespace
}  // namespace torchgate::import
