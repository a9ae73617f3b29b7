// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "harness/import/directions.hpp"
#include "harness/import/pyperf.hpp"
#include "harness/import/pytest_benchmark.hpp"
#include "harness/import/python_facts.hpp"
#include "harness/record/fact_prefixes.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::find_case;
using testing::fixture_text;
using testing::names_of;
using testing::processes_in;
using testing::warns;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

TEST(PytestBenchmark, TakesEveryRoundWhereTheyAreSaved) {
  const auto read = processes_in(read_pytest_benchmark(fixture_text("pytest-benchmark/save_data_5.3.1.json"), "data"));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(names_of(read[0]),
            (std::vector<std::string>{"test_bench.py::test_sum[100]", "test_bench.py::test_sum[10]"}));
  const ImportedCase& ten = read[0].cases[1];
  EXPECT_EQ(ten.time_ns.size(), 367U);  // "rounds"
  EXPECT_NEAR(mean_of(ten.time_ns), 1201.3385540995528, 1e-6);
  EXPECT_EQ(ten.calls_per_sample, 4);
  EXPECT_EQ(ten.parameters, (std::vector<record::Parameter>{{"n", "10"}}));
  EXPECT_EQ(ten.note, "");
  EXPECT_EQ(read[0].started, "2026-11-23T13:02:58.000Z");
}

TEST(PytestBenchmark, ItsMedianIsUsedWhereTheRoundsAreOfAnotherMean) {
  const auto read_with = [](const std::string& stats) {
    return read_pytest_benchmark(R"({"machine_info": {}, "benchmarks": [{"fullname": "a", "stats": )" + stats + "}]}",
                                 "a.json");
  };
  const auto stale = read_with(R"({"mean": 0.0141234, "median": 0.014, "data": [0.010, 0.011, 0.012]})");
  ASSERT_TRUE(stale) << stale.error().message;
  EXPECT_EQ((*stale)[0].cases[0].time_ns, std::vector<double>{0.014 * 1e9});
  EXPECT_TRUE(warns((*stale)[0], "the samples of one case could not be used: their mean is 1.1e+07 ns"));
  EXPECT_EQ((*stale)[0].no_spread, "");
  const auto same = read_with(R"({"mean": 0.011, "median": 0.011, "data": [0.010, 0.011, 0.012]})");
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ((*same)[0].cases[0].time_ns.size(), 3U);
  EXPECT_TRUE((*same)[0].warnings.empty());
}

TEST(PytestBenchmark, HasTheMedianOfOthers) {
  const auto saved = processes_in(read_pytest_benchmark(fixture_text("pytest-benchmark/saved_1.json"), "saved"));
  ASSERT_EQ(saved[0].cases.size(), 1U);
  const ImportedCase& one = saved[0].cases[0];
  EXPECT_EQ(one.name, "tests/test_normal.py::test_xfast_parametrized[0]");
  ASSERT_EQ(one.time_ns.size(), 1U);
  EXPECT_NEAR(one.time_ns[0], 220.16643907464864, 1e-9);
  EXPECT_EQ(one.note, "the file has only the median of its rounds");
  EXPECT_TRUE(warns(saved[0], "--benchmark-save-data"));
  EXPECT_EQ(saved[0].source.commit, "5b78858eb718649a31fb93d8dc96ca2cee41a4cd");
  EXPECT_EQ(saved[0].source.modified, true);
  // Its data were shortened by hand.
  const auto shortened = processes_in(read_pytest_benchmark(fixture_text("pytest_output.json"), "short"));
  for (const ImportedCase& each : shortened[0].cases) EXPECT_EQ(each.time_ns.size(), 1U);
}

TEST(PytestBenchmark, HasTheFullHashOfACommit) {
  const auto commit_of = [](const std::string& id) {
    return processes_in(
               read_pytest_benchmark(R"({"machine_info":{},"commit_info":{"id":")" + id +
                                         R"("},"benchmarks":[{"name":"b","fullname":"b","stats":{"median":1}}]})",
                                     "x"))
        .at(0)
        .source.commit.value_or("");
  };
  for (const std::size_t digits : {40U, 64U}) EXPECT_EQ(commit_of(std::string(digits, 'a')), std::string(digits, 'a'));
  EXPECT_EQ(commit_of("unversioned"), "");
}

TEST(PytestBenchmark, AnInvalidTimeFailsItsCaseAlone) {
  const auto read = processes_in(read_pytest_benchmark(
      R"({"machine_info":{},"benchmarks":[{"fullname":"a","stats":{"median":NaN}},{"fullname":"b","stats":{"median":1e-6}},
          {"fullname":"b","stats":{"data":[1,-1]}},{"fullname":"c","stats":{}}]})",
      "x"));
  EXPECT_EQ(find_case(read[0], "a")->failure, "invalid time: NaN or infinite");
  EXPECT_EQ(find_case(read[0], "b")->time_ns, std::vector<double>{1000});
  EXPECT_EQ(find_case(read[0], "b#2")->failure, "invalid time: -1e+09 ns");
  EXPECT_EQ(find_case(read[0], "c")->failure, "invalid time: NaN or infinite");
  EXPECT_TRUE(warns(read[0], "1 benchmark has the name of an earlier one, e.g. \"b\""));
}

// What its parameters are is in the name, too. Only some of them are the same in the next process, or short.
TEST(PytestBenchmark, AParameterThatIsNotOneIsLeftOut) {
  const auto parameters = [](const std::string& params) {
    const auto read = processes_in(read_pytest_benchmark(
        R"({"machine_info":{},"benchmarks":[{"fullname":"b[add]","params":)" + params + R"(,"stats":{"median":1}}]})",
        "x"));
    return read.empty() ? std::vector<record::Parameter>() : read[0].cases.at(0).parameters;
  };
  using Parameters = std::vector<record::Parameter>;
  EXPECT_EQ(
      parameters(R"({"fn":"UNSERIALIZABLE[<built-in method add of type object at 0x7f0a3c0c0>]","n":10,"ok":true})"),
      (Parameters{{"n", "10"}, {"ok", "true"}}));
  EXPECT_EQ(parameters(R"({"type":"UNSERIALIZABLE[<class 'numpy.float32'>]"})"),
            (Parameters{{"type", "UNSERIALIZABLE[<class 'numpy.float32'>]"}}));
  EXPECT_EQ(parameters(R"({"at":"look at 0x10"})"), (Parameters{{"at", "look at 0x10"}}));
  EXPECT_EQ(parameters(R"({"text":")" + std::string(100'000, 'x') + R"(","short":"y"})"), (Parameters{{"short", "y"}}));
  EXPECT_EQ(parameters(R"({"digits":)" + std::string(5'000, '1') + "}"), Parameters{});
}

// The id of a tuple is "shape0" whatever its numbers are.
TEST(PytestBenchmark, ListsAndObjectsAreParameters) {
  const auto value = [](const std::string& json) {
    const auto read =
        processes_in(read_pytest_benchmark(R"({"machine_info":{},"benchmarks":[{"fullname":"b[x0]","params":{"x":)" +
                                               json + R"(},"stats":{"median":1}}]})",
                                           "x"));
    const auto& parameters = read.at(0).cases.at(0).parameters;
    return parameters.empty() ? "none" : parameters.at(0).value;
  };
  EXPECT_EQ(value("[1024,1024]"), "[1024,1024]");
  EXPECT_EQ(value("[\n      1024,\n      256\n    ]"), "[1024,256]") << "an indented file";
  EXPECT_EQ(value(R"({"n": 1024, "kinds": ["a, b", null, true, 0.5], "none": {}})"),
            R"({"n":1024,"kinds":["a, b",null,true,0.5],"none":{}})");
  EXPECT_EQ(value("null"), "null");
  EXPECT_EQ(value(R"(["UNSERIALIZABLE[<function f at 0x7f0a3c0c0>]", 10])"), "[UNSERIALIZABLE,10]")
      << "another address in each process";
  EXPECT_EQ(value(R"(["UNSERIALIZABLE[torch.float32]"])"), R"(["UNSERIALIZABLE[torch.float32]"])");
  std::string many = "[0";
  for (int i = 0; i < 5'000; ++i) many += ",1";
  EXPECT_EQ(value(many + "]"), "none") << "longer than a name";
}

ImportedProcess pytest_with(const std::string& members) {
  auto read = processes_in(read_pytest_benchmark(
      R"({"machine_info":{},"benchmarks":[{"fullname":"b",)" + members + R"(,"stats":{"data":[1,2]}}]})", "x"));
  return read.size() == 1 ? read.front() : ImportedProcess();
}

TEST(PytestBenchmark, NumbersOfATestAreMetrics) {
  ImportedProcess read = pytest_with(
      R"("extra_info":{"tokens_per_second":500,"rows":7,"model":"x","ok":true,"deep":{"n":1},"lost":NaN,"time":3})");
  ASSERT_EQ(read.cases.size(), 1U);
  settle_directions(read, *Directions::parse({"own time=lower"}));
  const auto& metrics = read.cases[0].metrics;
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].metric.name, "tokens_per_second");
  EXPECT_EQ(metrics[0].metric.unit, "tokens/s");
  EXPECT_EQ(metrics[0].metric.direction, record::Direction::higher_is_better);
  EXPECT_TRUE(metrics[0].metric.judged);
  EXPECT_EQ(metrics[0].samples, std::vector<double>{500});
  EXPECT_EQ(metrics[1].metric.name, "own time");
  EXPECT_EQ(read.cases[0].time_ns.size(), 2U);
  EXPECT_TRUE(warns(read, "rows: direction unknown, not judged"));
  EXPECT_TRUE(pytest_with(R"("extra_info":null)").cases[0].metrics.empty());
}

TEST(PytestBenchmark, NumbersInObjectsAndInQuotesAreMetrics) {
  ImportedProcess read = pytest_with(
      R"("extra_info":{"model":{"tokens_per_second":50,"v":{"ms":"2.5"}},"req/s":"25.5","version":"3.12"})");
  ASSERT_EQ(read.cases.size(), 1U);
  settle_directions(read, {});
  std::vector<std::pair<std::string, std::vector<double>>> found;
  for (const ImportedMetric& each : read.cases[0].metrics) found.emplace_back(each.metric.name, each.samples);
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::vector<double>>>{
                       {"model.tokens_per_second", {50}}, {"model.v.ms", {2.5}}, {"req/s", {25.5}}}));
  EXPECT_TRUE(read.warnings.empty()) << "a version is a label";
}

TEST(PytestBenchmark, ListsOfNumbersAreSamples) {
  ImportedProcess read = pytest_with(
      R"("extra_info":{"tokens_per_second":[50,52.5],"model":{"ms":["2.5",3]},"tps":[7,8],"tags":["a",true],"none":[]})");
  settle_directions(read, {});
  std::vector<std::pair<std::string, std::vector<double>>> found;
  for (const ImportedMetric& each : read.cases.at(0).metrics) found.emplace_back(each.metric.name, each.samples);
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::vector<double>>>{{"tokens_per_second", {50, 52.5}},
                                                                             {"model.ms", {2.5, 3}}}));
  EXPECT_EQ(read.cases[0].metrics.at(0).metric.direction, record::Direction::higher_is_better);
  EXPECT_TRUE(warns(read, "tps: direction unknown, not judged")) << "as a single number";
  EXPECT_EQ(read.warnings.size(), 1U) << "tags are labels";
}

TEST(PytestBenchmark, AWarningNamesNumbersThatAreLeftOut) {
  const ImportedProcess lists = pytest_with(
      R"("extra_info":{"req/s":[1,null],"ms":[NaN],"layers":[{"ms":1}],"shape":{"us":[[1,2],[3]]},"n":["1","x"]})");
  EXPECT_TRUE(lists.cases.at(0).metrics.empty());
  const std::string name = lists.cases[0].name;
  EXPECT_EQ(lists.warnings, std::vector<std::string>{"layers of " + name + ", ms of " + name + ", req/s of " + name +
                                                     ", shape.us of " + name +
                                                     ": a list of extra_info with something else than numbers, not "
                                                     "compared"});
  std::string numbers;
  for (int i = 100; i < 202; ++i) numbers += (i == 100 ? "\"c" : ",\"c") + std::to_string(i) + "_per_second\":1";
  const ImportedProcess many = pytest_with(R"("extra_info":{)" + numbers + "}");
  EXPECT_EQ(many.cases.at(0).metrics.size(), 100U);
  EXPECT_EQ(many.warnings,
            std::vector<std::string>{"c200_per_second of " + name + ", c201_per_second of " + name +
                                     ": more than 100 numbers in extra_info of one benchmark, not compared"});
}

TEST(PytestBenchmark, AnotherTimerIsAnotherProtocol) {
  const auto protocol = [](const std::string& options) {
    return pytest_with(R"("options":)" + options).cases.at(0).protocol;
  };
  for (const char* const usual : {"{}", "null", R"({"timer":"perf_counter"})", R"({"timer":"time.perf_counter"})",
                                  R"({"timer":"timeit.default_timer","warmup":false})"})
    EXPECT_EQ(protocol(usual), "pytest-benchmark/1") << usual;
  EXPECT_EQ(protocol(R"({"timer":"process_time"})"), "pytest-benchmark-process_time/1");
  EXPECT_EQ(protocol(R"({"timer":"time.process_time"})"), "pytest-benchmark-process_time/1");
}

const record::MachineFact* fact_named(const ImportedProcess& process, const std::string& name) {
  const auto found = std::find_if(process.facts.begin(), process.facts.end(),
                                  [&](const record::MachineFact& fact) { return fact.name == name; });
  return found == process.facts.end() ? nullptr : &*found;
}

TEST(PytestBenchmark, ItsSettingsAreFacts) {
  const ImportedProcess read =
      pytest_with(R"("options":{"disable_gc":true,"timer":"perf_counter","min_rounds":5,"warmup":false,"max_time":1})");
  for (const auto& [name, value] :
       {std::pair("disable_gc", "true"), std::pair("min_rounds", "5"), std::pair("warmup", "false")}) {
    const record::MachineFact* const fact = fact_named(read, name);
    ASSERT_NE(fact, nullptr) << name;
    EXPECT_EQ(fact->value, value);
    EXPECT_EQ(fact->fact_class, record::FactClass::warn);
  }
}

// Two tests that change places have the same set of values.
TEST(PytestBenchmark, SettingsThatDifferAreThoseOfEachTest) {
  const auto read = processes_in(read_pytest_benchmark(
      R"({"machine_info":{},"benchmarks":[{"fullname":"t1","options":{"disable_gc":false,"warmup":false},"stats":{"data":[1,2]}},
          {"fullname":"t2","options":{"disable_gc":true,"warmup":false},"stats":{"data":[1,2]}}]})",
      "x"));
  ASSERT_EQ(read.size(), 1U);
  const std::vector<record::MachineFact> expected{{"disable_gc", "false, true", "", record::FactClass::warn},
                                                  {"setting: disable_gc of t1", "false", "", record::FactClass::warn},
                                                  {"setting: disable_gc of t2", "true", "", record::FactClass::warn},
                                                  {"warmup", "false", "", record::FactClass::warn}};
  EXPECT_EQ(read[0].facts, expected);
}

TEST(PytestBenchmark, WhatUsersNoteIsAFact) {
  const auto read = processes_in(read_pytest_benchmark(
      R"({"machine_info":{"machine":"x86_64","processor":"x","python_build":["a","b"],"gpu":{"name":"H100","count":8},
          "torch":"2.10","cpu_freq":2893,"load":0.53,"git_sha":"0a1b2c3"},
          "benchmarks":[{"fullname":"t","extra_info":{"device":"cuda","compiled":true,"version":"2.10","torch":"2.10.0+cu126",
            "took":"0.53 s","folder":"/tmp/tmpab12/x","started":"2026-12-01T16:45:00","commit":"x"},"stats":{"data":[1,2]}}]})",
      "x"));
  ASSERT_EQ(read.size(), 1U);
  using record::FactClass;
  const std::vector<record::MachineFact> expected{
      {"machine", "x86_64", "", FactClass::host},           {"context: gpu.name", "H100", "", FactClass::warn},
      {"context: gpu.count", "8", "", FactClass::warn},     {"context: torch", "2.10", "", FactClass::warn},
      {"label: device of t", "cuda", "", FactClass::warn},  {"label: compiled of t", "true", "", FactClass::warn},
      {"label: version of t", "2.10", "", FactClass::warn}, {"label: torch of t", "2.10.0+cu126", "", FactClass::warn},
      {"label: took of t", "0.53 s", "", FactClass::info}};
  EXPECT_EQ(read[0].facts, expected);
}

// A file of a tool itself has no fact that is another one in each run.
TEST(PythonFacts, NothingOfAToolItselfIsTheProgramsOwn) {
  std::vector<ImportedProcess> all;
  for (const char* file :
       {"pyperf/mult_list_py36.json", "pyperf/tracemalloc_2.10.0.json", "pyperf/two_benchmarks_2.10.0.json"})
    for (const auto& each : processes_in(read_pyperf(fixture_text(file), file))) all.push_back(each);
  for (const char* file :
       {"pytest_output.json", "pytest-benchmark/save_data_5.3.1.json", "pytest-benchmark/saved_1.json"})
    for (const auto& each : processes_in(read_pytest_benchmark(fixture_text(file), file))) all.push_back(each);
  for (const ImportedProcess& each : all)
    for (const record::MachineFact& fact : each.facts)
      EXPECT_FALSE(record::is_own_fact(fact.name)) << each.file << ": " << fact.name;
}

TEST(PythonFacts, KnowsPythonsDates) {
  EXPECT_EQ(utc_of_python_date("2020-10-13 10:12:20.476957"), "2020-10-13T10:12:20.000Z");
  EXPECT_EQ(utc_of_python_date("2026-11-23T13:02:58.965614+01:00"), "2026-11-23T12:02:58.000Z");
  EXPECT_EQ(utc_of_python_date("yesterday"), std::nullopt);
}

}  // namespace
}  // namespace torchgate::import
