// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "harness/import/directions.hpp"
#include "harness/import/pyperf.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::fixture_text;
using testing::processes_in;
using testing::warns;

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

double mean_value(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// pyperf compare_to prints 2.13 us -> 2.09 us, 3.70 us -> 5.28 us: 1.42x slower, 4.61 us -> 6.05 us: 1.31x slower.
TEST(Pyperf, HasTheMeansThatPyperfPrints) {
  const auto before = processes_in(read_pyperf(fixture_text("pyperf/mult_list_py36.json"), "36"));
  const auto after = processes_in(read_pyperf(fixture_text("pyperf/mult_list_py37.json"), "37"));
  const std::vector<std::tuple<std::string, double, double, double>> printed{
      {"[1]*1000", 2.13, 2.09, 1 / 1.02}, {"[1,2]*1000", 3.70, 5.28, 1.42}, {"[1,2,3]*1000", 4.61, 6.05, 1.31}};
  for (const auto& [name, us_before, us_after, ratio] : printed) {
    const auto [old_values, old_processes] = values_of(before, name);
    const auto [new_values, new_processes] = values_of(after, name);
    EXPECT_EQ(old_processes, 20) << "the calibrating run is none";
    EXPECT_EQ(new_processes, 20);
    EXPECT_EQ(old_values.size(), 60U);
    EXPECT_NEAR(mean_value(old_values) / 1e3, us_before, 0.005) << name;
    EXPECT_NEAR(mean_value(new_values) / 1e3, us_after, 0.005) << name;
    EXPECT_NEAR(mean_value(new_values) / mean_value(old_values), ratio, 0.005) << name;
  }
  EXPECT_EQ(before[0].started, "2020-10-13T10:12:21.000Z");
  EXPECT_EQ(before[0].peak_resident_bytes, 14811136);
}

TEST(Pyperf, ReadsSeveralBenchmarksAndUnits) {
  const auto two = processes_in(read_pyperf(fixture_text("pyperf/two_benchmarks_2.10.0.json"), "two"));
  ASSERT_EQ(two.size(), 8U);
  EXPECT_EQ(values_of(two, "inc").second, 4);
  EXPECT_EQ(values_of(two, "dec").first.size(), 12U);
  const auto memory = processes_in(read_pyperf(fixture_text("pyperf/tracemalloc_2.10.0.json"), "memory"));
  ASSERT_EQ(memory.size(), 3U);
  ASSERT_EQ(memory[0].cases[0].metrics.size(), 1U);
  EXPECT_EQ(memory[0].cases[0].metrics[0].metric.unit, "bytes");
  EXPECT_TRUE(memory[0].cases[0].time_ns.empty());
  auto unknown = processes_in(read_pyperf(
      R"({"benchmarks":[{"metadata":{"name":"n","unit":"integer"},"runs":[{"values":[1]}]},
                        {"metadata":{"name":"t"},"runs":[{"values":[1]}]}],"version":"1.0"})",
      "x"));
  ASSERT_EQ(unknown.size(), 2U);
  settle_directions(unknown[0], {});
  EXPECT_TRUE(warns(unknown[0], "n: direction unknown, not judged; set it with"));
}

// Its own tools write what runs or benchmarks have in common one level higher: of a benchmark with one run, everything.
TEST(Pyperf, TheInnerMetadataWin) {
  const auto read = processes_in(read_pyperf(
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
  const auto infinite = processes_in(
      read_pyperf(R"({"benchmarks":[{"metadata":{"name":"n"},"runs":[{"values":[Infinity, 1]}]}]})", "a.json"));
  EXPECT_EQ(infinite[0].cases[0].failure, "invalid time: NaN or infinite");
}

TEST(Pyperf, WhatAProgramNotesIsAFact) {
  const auto read = processes_in(read_pyperf(
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
  const auto read = processes_in(read_pyperf(
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
  EXPECT_NE(std::find(read[0].facts.begin(), read[0].facts.end(),
                      record::MachineFact{"timer", "perf_counter", "", record::FactClass::warn}),
            read[0].facts.end());
}

}  // namespace
}  // namespace torchgate::import
