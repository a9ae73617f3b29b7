// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "harness/import/directions.hpp"
#include "harness/import/pyperf.hpp"
#include "harness/import/pytest_benchmark.hpp"
#include "harness/import/python_facts.hpp"
#include "harness/record/own_facts.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::find_case;
using testing::fixture_text;
using testing::names_of;
using testing::warns;

std::vector<ImportedProcess> read_python(const base::Result<std::vector<ImportedProcess>>& read) {
  EXPECT_TRUE(read) << read.error().message;
  return read ? *read : std::vector<ImportedProcess>();
}

// Of one benchmark: all values, and the number of processes.
std::pair<std::vector<double>, int> values_of(const std::vector<ImportedProcess>& processes, const std::string& name) {
  std::pair<std::vector<double>, int> found;
  for (const ImportedProcess& process : processes) {
    if (process.group != name) continue;
    ++found.second;
    found.first.insert(found.first.end(), process.cases[0].time_ns.begin(), process.cases[0].time_ns.end());
  }
  return found;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// pyperf compare_to prints 2.13 us -> 2.09 us, 3.70 us -> 5.28 us: 1.42x slower, 4.61 us -> 6.05 us: 1.31x slower.
TEST(Pyperf, HasTheMeansThatPyperfPrints) {
  const auto before = read_python(read_pyperf(fixture_text("pyperf/mult_list_py36.json"), "36"));
  const auto after = read_python(read_pyperf(fixture_text("pyperf/mult_list_py37.json"), "37"));
  const std::vector<std::tuple<std::string, double, double, double>> printed{
      {"[1]*1000", 2.13, 2.09, 1 / 1.02}, {"[1,2]*1000", 3.70, 5.28, 1.42}, {"[1,2,3]*1000", 4.61, 6.05, 1.31}};
  for (const auto& [name, us_before, us_after, ratio] : printed) {
    const auto [old_values, old_processes] = values_of(before, name);
    const auto [new_values, new_processes] = values_of(after, name);
    EXPECT_EQ(old_processes, 20) << "the calibrating run is none";
    EXPECT_EQ(new_processes, 20);
    EXPECT_EQ(old_values.size(), 60U);
    EXPECT_NEAR(mean_of(old_values) / 1e3, us_before, 0.005) << name;
    EXPECT_NEAR(mean_of(new_values) / 1e3, us_after, 0.005) << name;
    EXPECT_NEAR(mean_of(new_values) / mean_of(old_values), ratio, 0.005) << name;
  }
  EXPECT_EQ(before[0].started, "2020-10-13T10:12:21.000Z");
  EXPECT_EQ(before[0].peak_resident_bytes, 14811136);
}

TEST(Pyperf, ReadsSeveralBenchmarksAndUnits) {
  const auto two = read_python(read_pyperf(fixture_text("pyperf/two_benchmarks_2.10.0.json"), "two"));
  ASSERT_EQ(two.size(), 8U);
  EXPECT_EQ(values_of(two, "inc").second, 4);
  EXPECT_EQ(values_of(two, "dec").first.size(), 12U);
  const auto memory = read_python(read_pyperf(fixture_text("pyperf/tracemalloc_2.10.0.json"), "memory"));
  ASSERT_EQ(memory.size(), 3U);
  ASSERT_EQ(memory[0].cases[0].metrics.size(), 1U);
  EXPECT_EQ(memory[0].cases[0].metrics[0].metric.unit, "bytes");
  EXPECT_TRUE(memory[0].cases[0].time_ns.empty());
  auto unknown = read_python(read_pyperf(
      R"({"benchmarks":[{"metadata":{"name":"n","unit":"integer"},"runs":[{"values":[1]}]},
                        {"metadata":{"name":"t"},"runs":[{"values":[1]}]}],"version":"1.0"})",
      "x"));
  ASSERT_EQ(unknown.size(), 2U);
  settle_directions(unknown[0], {});
  EXPECT_TRUE(warns(unknown[0], "n: direction unknown, not judged; set it with"));
}

// Its own tools write what runs or benchmarks have in common one level higher: of a benchmark with one run, everything.
TEST(Pyperf, TheInnerMetadataWin) {
  const auto read = read_python(read_pyperf(
      R"({"metadata":{"unit":"second","loops":2,"inner_loops":3,"date":"2026-11-20 10:00:00"},"benchmarks":[
          {"metadata":{"name":"a","loops":64,"date":"2026-11-21 10:12:01.476957","mem_max_rss":1000},"runs":[
            {"values":[1]},{"metadata":{"loops":8,"date":"2026-11-22 10:00:00","mem_max_rss":2000},"values":[1]}]},
          {"metadata":{"name":"b"},"runs":[{"metadata":{"inner_loops":5},"values":[1]}]}],"version":"1.0"})",
      "x"));
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].cases[0].calls_per_sample, 64 * 3);
  EXPECT_EQ(read[0].started, "2026-11-21T10:12:01.000Z");
  EXPECT_EQ(read[0].peak_resident_bytes, 1000);
  EXPECT_EQ(read[1].cases[0].calls_per_sample, 8 * 3);
  EXPECT_EQ(read[1].started, "2026-11-22T10:00:00.000Z");
  EXPECT_EQ(read[1].peak_resident_bytes, 2000);
  EXPECT_EQ(read[2].cases[0].calls_per_sample, 2 * 5);
  EXPECT_EQ(read[2].started, "2026-11-20T10:00:00.000Z");
  EXPECT_EQ(read[2].peak_resident_bytes, std::nullopt);
}

// All benchmarks of `pyperf timeit` are called "timeit", and all of `pyperf command` "command".
TEST(Pyperf, WhatIsTimedIsAParameter) {
  using Parameters = std::vector<record::Parameter>;
  const auto parameters = [](const std::string& metadata) {
    const auto read = read_pyperf(R"({"version": "1.0", "metadata": {"name": "x", )" + metadata +
                                      R"(}, "benchmarks": [{"runs": [{"values": [1]}]}]})",
                                  "a.json");
    EXPECT_TRUE(read) << read.error().message;
    return read ? (*read)[0].cases[0].parameters : Parameters();
  };
  EXPECT_EQ(parameters(R"x("timeit_stmt": "f(100)")x"), (Parameters{{"statement", "f(100)"}}));
  EXPECT_EQ(parameters(R"("command": "/build/a/python3 /tmp/sum.py --n 100")"),
            (Parameters{{"arguments", "sum.py --n 100"}}));
  EXPECT_EQ(parameters(R"("command": "./build/sum --n 100")"), parameters(R"("command": "/old/build/sum --n 100")"));
  EXPECT_EQ(parameters(R"("command": "./build/sum")"), Parameters());
  const std::string folder = "/work/" + std::string(100, 'b') + "/";
  EXPECT_EQ(parameters(R"("command": ")" + folder + "python3 " + folder + R"(sum.py --n 100")"),
            (Parameters{{"arguments", "sum.py --n 100"}}));
  EXPECT_EQ(parameters(R"x("timeit_stmt": "f()x" + std::string(100, '1') + R"x( + 2)")x"),
            (Parameters{{"statement", "f(" + std::string(100, '1') + " + 2)"}}));
  EXPECT_EQ(parameters(R"("loops": 1)"), Parameters());
}

TEST(Pyperf, NamesThePlaceOfAMistake) {
  const auto bad = read_pyperf(R"({"benchmarks":[{"metadata":{"name":"n"},"runs":[{"values":["fast"]}]}]})", "a.json");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("a.json: /benchmarks/0/runs/0/values/0"), std::string::npos)
      << bad.error().message;
  const auto twice = read_pyperf(
      R"({"benchmarks":[{"metadata":{"name":"n"},"runs":[{"values":[1]}]},{"metadata":{"name":"n"},"runs":[]}]})",
      "a.json");
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("two benchmarks have the name"), std::string::npos);
  const auto infinite = read_python(
      read_pyperf(R"({"benchmarks":[{"metadata":{"name":"n"},"runs":[{"values":[Infinity, 1]}]}]})", "a.json"));
  EXPECT_EQ(infinite[0].cases[0].failure, "invalid time: NaN or infinite");
}

TEST(PytestBenchmark, TakesEveryRoundWhereTheyAreSaved) {
  const auto read = read_python(read_pytest_benchmark(fixture_text("pytest-benchmark/save_data_5.3.1.json"), "data"));
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
  const auto saved = read_python(read_pytest_benchmark(fixture_text("pytest-benchmark/saved_1.json"), "saved"));
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
  const auto shortened = read_python(read_pytest_benchmark(fixture_text("pytest_output.json"), "short"));
  for (const ImportedCase& each : shortened[0].cases) EXPECT_EQ(each.time_ns.size(), 1U);
}

TEST(PytestBenchmark, HasTheFullHashOfACommit) {
  const auto commit_of = [](const std::string& id) {
    return read_python(
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
  const auto read = read_python(read_pytest_benchmark(
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
    const auto read = read_python(read_pytest_benchmark(
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
        read_python(read_pytest_benchmark(R"({"machine_info":{},"benchmarks":[{"fullname":"b[x0]","params":{"x":)" +
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
  auto read = read_python(read_pytest_benchmark(
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
  const auto read = read_python(read_pytest_benchmark(
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
  const auto read = read_python(read_pytest_benchmark(
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

TEST(Pyperf, WhatAProgramNotesIsAFact) {
  const auto read = read_python(read_pyperf(
      R"({"version":"1.0","metadata":{"torch_version":"2.11","uptime":"3 days","boot_time":"x","load_avg_1min":1.5,
          "python_gc":"disabled","performance_commit":"x"},
          "benchmarks":[{"metadata":{"name":"b","batch":64,"description":"x","cpu_temp":"a"},"runs":[{"values":[0.001,0.0011]}]}]})",
      "p.json"));
  ASSERT_EQ(read.size(), 1U);
  using record::FactClass;
  const std::vector<record::MachineFact> expected{{"python_gc", "disabled", "", FactClass::warn},
                                                  {"context: torch_version", "2.11", "", FactClass::warn},
                                                  {"label: batch of b", "64", "", FactClass::warn}};
  EXPECT_EQ(read[0].facts, expected);
}

// A file of a tool itself has no fact that is another one in each run.
TEST(PythonFacts, NothingOfAToolItselfIsTheProgramsOwn) {
  std::vector<ImportedProcess> all;
  for (const char* file :
       {"pyperf/mult_list_py36.json", "pyperf/tracemalloc_2.10.0.json", "pyperf/two_benchmarks_2.10.0.json"})
    for (const auto& each : read_python(read_pyperf(fixture_text(file), file))) all.push_back(each);
  for (const char* file :
       {"pytest_output.json", "pytest-benchmark/save_data_5.3.1.json", "pytest-benchmark/saved_1.json"})
    for (const auto& each : read_python(read_pytest_benchmark(fixture_text(file), file))) all.push_back(each);
  for (const ImportedProcess& each : all)
    for (const record::MachineFact& fact : each.facts)
      EXPECT_FALSE(record::is_own_fact(fact.name)) << each.file << ": " << fact.name;
}

TEST(Pyperf, ATimerOfCpuTimeIsAnotherProtocol) {
  const auto protocol = [](const std::string& timer) {
    const auto read = read_pyperf(R"({"version":"1.0","benchmarks":[{"metadata":{"name":"b","timer":")" + timer +
                                      R"("},"runs":[{"values":[0.001,0.0011]}]}]})",
                                  "p.json");
    EXPECT_TRUE(read) << read.error().message;
    return read ? read->front().cases.at(0).protocol : "";
  };
  EXPECT_EQ(protocol("clock_gettime(CLOCK_MONOTONIC), resolution: 1 ns"), "pyperf/1");
  EXPECT_EQ(protocol("clock_gettime(CLOCK_PROCESS_CPUTIME_ID), resolution: 1 ns"), "pyperf-process_time/1");
  EXPECT_EQ(protocol("time.thread_time"), "pyperf-thread_time/1");
}

// The facts of a file are those of its first benchmark.
TEST(Pyperf, EachBenchmarkHasItsOwnTimerAndSetup) {
  const auto read = read_python(read_pyperf(
      R"x({"version":"1.0","benchmarks":[
            {"metadata":{"name":"a","timer":"perf_counter","timeit_setup":"x=[0]*1000"},"runs":[{"values":[1]}]},
            {"metadata":{"name":"b","timer":"time.process_time","timeit_setup":"x=[0]*10"},"runs":[{"values":[1]}]},
            {"metadata":{"name":"c"},"runs":[{"values":[1]}]}]})x",
      "p.json"));
  ASSERT_EQ(read.size(), 3U);
  std::vector<std::string> protocols;
  std::vector<std::vector<record::Parameter>> parameters;
  for (const ImportedProcess& each : read) {
    protocols.push_back(each.cases.at(0).protocol);
    parameters.push_back(each.cases.at(0).parameters);
  }
  EXPECT_EQ(protocols, (std::vector<std::string>{"pyperf/1", "pyperf-process_time/1", "pyperf/1"}));
  EXPECT_EQ(parameters,
            (std::vector<std::vector<record::Parameter>>{{{"setup", "x=[0]*1000"}}, {{"setup", "x=[0]*10"}}, {}}));
  EXPECT_EQ(fact_named(read[0], "timer")->value, "perf_counter");
}

TEST(PythonFacts, KnowsPythonsDates) {
  EXPECT_EQ(utc_of_python_date("2020-10-13 10:12:20.476957"), "2020-10-13T10:12:20.000Z");
  EXPECT_EQ(utc_of_python_date("2026-11-23T13:02:58.965614+01:00"), "2026-11-23T12:02:58.000Z");
  EXPECT_EQ(utc_of_python_date("yesterday"), std::nullopt);
}

}  // namespace
}  // namespace torchgate::import
