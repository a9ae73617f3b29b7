// SPDX-License-Identifier: Apache-2.0
#include "harness/import/go_text.hpp"

#include "harness/import/directions.hpp"
#include "harness/import/run_of_processes.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::find_case;
using testing::fixture_text;
using testing::names_of;
using testing::warns;

std::vector<ImportedProcess> read_go(const std::string& text) {
  auto read = read_go_text(testing::in_odd_pieces(text), "go.txt");
  EXPECT_TRUE(read) << read.error().message;
  return read ? *std::move(read) : std::vector<ImportedProcess>();
}

std::string error_of_go(const std::string& text) {
  const auto read = read_go_text(testing::in_odd_pieces(text), "go.txt");
  return read ? "none" : read.error().message;
}

TEST(GoText, ReadsBenchstatsExample) {
  const auto processes = read_go(fixture_text("benchstat/old.txt"));
  ASSERT_EQ(processes.size(), 1U);
  const std::string package = "golang.org/x/perf/cmd/benchstat/testdata";
  EXPECT_EQ(processes[0].group, package);
  EXPECT_TRUE(processes[0].warnings.empty());
  const ImportedCase* json = find_case(processes[0], package + ".Encode/format=json-48");
  ASSERT_NE(json, nullptr);
  EXPECT_EQ(json->time_ns, (std::vector<double>{1726, 1723, 1707, 1707, 1713, 1729, 1736, 1707, 1705, 1774}));
  EXPECT_EQ(json->calls_per_sample, 695533);
  EXPECT_EQ(processes[0].facts.size(), 2U);  // goos, goarch
}

// `go test -bench . -count 3` of a package with a rate, counters, a custom unit and a benchmark that fails.
TEST(GoText, ReadsWhatGoTestPrints) {
  auto processes = read_go(fixture_text("go/go_test.txt"));
  ASSERT_EQ(processes.size(), 1U);
  settle_directions(processes[0], {});
  const ImportedCase* sum = find_case(processes[0], "example.org/sums.Sum/n=100-2");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->time_ns, (std::vector<double>{177.7, 500.7, 165.6}));
  EXPECT_EQ(sum->bytes_per_call, 100);  // b.SetBytes(100), from 562.89 MB/s
  const ImportedCase* alloc = find_case(processes[0], "example.org/sums.Alloc-2");
  ASSERT_NE(alloc, nullptr);
  ASSERT_EQ(alloc->metrics.size(), 2U);
  EXPECT_EQ(alloc->metrics[0].metric.name, "allocated_bytes");
  EXPECT_EQ(alloc->metrics[0].value, 896);
  EXPECT_EQ(alloc->metrics[1].metric.name, "allocations");
  EXPECT_EQ(alloc->metrics[1].value, 1);
  EXPECT_TRUE(warns(processes[0], "widgets/op: direction unknown, not judged; set it with"));
  EXPECT_TRUE(warns(processes[0], "a line \"Unit NAME better=higher\" in the file"));
  ASSERT_EQ(sum->metrics.size(), 1U) << "MB/s";
  EXPECT_EQ(sum->metrics[0].metric.unit, "MB/s");
  EXPECT_TRUE(sum->metrics[0].metric.judged);
  const ImportedCase* broken = find_case(processes[0], "example.org/sums.Broken-2");
  ASSERT_NE(broken, nullptr);
  EXPECT_EQ(broken->failure, "sums_test.go:16: no such table");
  EXPECT_TRUE(warns(processes[0], "`go test` of example.org/sums failed"));
}

TEST(GoText, ReadsEventsOfGoTestJson) {
  const auto processes = read_go(fixture_text("go/go_test.json"));
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(names_of(processes[0]),
            (std::vector<std::string>{"example.org/sums.Sum/n=100-2", "example.org/sums.Sum/n=1000-2"}));
  EXPECT_EQ(processes[0].cases[0].time_ns.size(), 2U);
  EXPECT_EQ(processes[0].cases[0].time_ns.front(), 132.7);
  EXPECT_EQ(processes[0].started, "2026-11-23T13:02:56.000Z");
}

TEST(GoText, EventsHaveDatesOfTheirOwnZone) {
  const auto date = [](const std::string& time) {
    return read_go(R"({"Time":")" + time +
                   R"(","Action":"output","Package":"p","Output":"BenchmarkA 10 5 ns/op\n"})")[0]
        .started;
  };
  for (const char* const time : {"2026-11-23T13:02:56.123456789Z", "2026-11-23T15:02:56.1+02:00",
                                 "2026-11-23T08:02:56.123456-05:00", "2026-11-23T18:32:56+05:30"})
    EXPECT_EQ(date(time), "2026-11-23T13:02:56.000Z") << time;
  EXPECT_EQ(date("yesterday"), "");
}

TEST(GoText, EachGoTestIsAProcess) {
  const std::string once = "goos: linux\npkg: p\nBenchmarkA-8 10 5 ns/op\nBenchmarkA-8 10 6 ns/op\nPASS\nok  \tp\t1s\n";
  const auto thrice = read_go(once + once + "pkg: q\nBenchmarkA-8 10 7 ns/op\nPASS\n");
  ASSERT_EQ(thrice.size(), 3U);
  EXPECT_EQ(thrice[0].cases[0].time_ns, (std::vector<double>{5, 6}));
  EXPECT_EQ(thrice[1].group, "p");
  EXPECT_EQ(thrice[2].cases[0].name, "q.A-8");
  // The same lines without headings are one process: nothing marks a second one.
  EXPECT_EQ(read_go("BenchmarkA 10 5 ns/op\nBenchmarkA 10 6 ns/op\n").size(), 1U);
}

// Without its headings it would be of no package and of any machine: two packages with a benchmark of one name were one case.
TEST(GoText, AProcessThatBeginsWithoutAResultHasItsHeadings) {
  for (const char* const first : {"--- SKIP: BenchmarkC\n    c_test.go:3: no device\n", "--- FAIL: BenchmarkC\n",
                                  "BenchmarkC-8   \t\n", "BenchmarkC-8   \tpanic: boom\n"}) {
    const auto of_package = [&](const std::string& package) {
      return "goos: linux\npkg: " + package + "\ncpu: a CPU\n" + first + "BenchmarkA-8 10 5 ns/op\nPASS\n";
    };
    const auto both = read_go(of_package("p") + of_package("q"));
    ASSERT_EQ(both.size(), 2U) << first;
    EXPECT_EQ(both[0].group, "p") << first;
    EXPECT_EQ(both[1].group, "q") << first;
    EXPECT_EQ(both[0].facts.size(), 2U) << first;
    EXPECT_NE(find_case(both[0], "p.A-8"), nullptr) << first;
    EXPECT_NE(find_case(both[1], "q.A-8"), nullptr) << first;
    EXPECT_EQ(both[0].cases.size(), 2U) << first;
  }
  const auto nothing_else = read_go("pkg: p\n--- SKIP: BenchmarkC\npkg: q\n--- FAIL: BenchmarkC\n");
  ASSERT_EQ(nothing_else.size(), 2U);
  EXPECT_EQ(nothing_else[0].group, "p");
  EXPECT_EQ(nothing_else[1].group, "q");
}

TEST(GoText, ABenchmarkThatDidNotEndHasFailed) {
  const auto panics =
      read_go("BenchmarkA-8 \t 10 \t 5 ns/op\nBenchmarkB-8   \tpanic: boom\n\ngoroutine 1 [running]:\nexit status 2\n");
  ASSERT_EQ(panics.size(), 1U);
  EXPECT_EQ(find_case(panics[0], "B-8")->failure, "panic: boom");
  const auto killed = read_go("BenchmarkA-8 \t 10 \t 5 ns/op\nBenchmarkB-8   \t\nFAIL\tp\t2s\n");
  EXPECT_EQ(find_case(killed[0], "B-8")->failure, "it started, but its result is not in the file");
  const auto talks = read_go("BenchmarkB-8   \thello from the benchmark\n      10\t 5 ns/op\n");
  EXPECT_EQ(find_case(talks[0], "B-8")->time_ns, std::vector<double>{5});
  const auto skipped = read_go("--- SKIP: BenchmarkC\n    c_test.go:3: no device\nBenchmarkA-8 10 5 ns/op\n");
  EXPECT_EQ(find_case(skipped[0], "C")->skipped, "c_test.go:3: no device");
}

// The failures of the benchmarks of all processes, in their order.
std::vector<std::string> failures_of(const std::string& text) {
  std::vector<std::string> all;
  for (const ImportedProcess& process : read_go(text))
    for (const ImportedCase& each : process.cases) all.push_back(each.failure);
  return all;
}

using Failures = std::vector<std::string>;

// "%8d": a number of eight digits has no blank before it, where a benchmark printed something between its name and its result.
TEST(GoText, ReadsAResultBelowWhatItsBenchmarkPrinted) {
  for (const char* const iterations : {" 9999999", "10000000", "100000000"}) {
    const auto read = read_go("pkg: p\nBenchmarkX-8   \t2026/01/01 10:00:00 starting\n" + std::string(iterations) +
                              "\t       100.0 ns/op\nPASS\n");
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].cases.at(0).failure, "") << iterations;
    EXPECT_EQ(read[0].cases.at(0).time_ns, std::vector<double>{100}) << iterations;
  }
}

TEST(GoText, APackageThatFailedFailsItsBenchmarks) {
  const std::string results = "pkg: ex.org/p\nBenchmarkA-8 10 5 ns/op\nBenchmarkB-8 10 6 ns/op\n";
  const auto both = [](const std::string& failure) { return Failures{failure, failure}; };
  EXPECT_EQ(failures_of(results + "testing.go:1490: race detected outside of test execution\nFAIL\nexit status 1\n"
                                  "FAIL\tex.org/p\t1.2s\n"),
            both("`go test` of ex.org/p failed: race detected outside of test execution"));
  EXPECT_EQ(
      failures_of(results + "fatal error: concurrent map writes\n\ngoroutine 1:\nexit status 2\nFAIL\tex.org/p\t1s\n"),
      both("`go test` of ex.org/p failed: fatal error: concurrent map writes"));
  EXPECT_EQ(failures_of(results + "--- FAIL: TestY (0.00s)\n    y_test.go:3: bad\nFAIL\n"),
            both("`go test` of ex.org/p failed: TestY failed"));
  EXPECT_EQ(failures_of(results + "PASS\nexit status 3\nFAIL\tex.org/p\t1s\n"),
            both("`go test` of ex.org/p failed: exit status 3"));
  EXPECT_EQ(failures_of("BenchmarkA 10 5 ns/op\nFAIL\n"), Failures{"`go test` failed"});
  EXPECT_EQ(failures_of(results + "--- FAIL: BenchmarkB\n    b_test.go:3: bad\nFAIL\nFAIL\tex.org/p\t1s\n"),
            (Failures{"", "b_test.go:3: bad"}));
}

TEST(GoText, APackageThatFailedDoesNotFailAnotherProcess) {
  const std::string passed = "pkg: p\nBenchmarkA-8 10 5 ns/op\nPASS\nok  \tp\t1s\n";
  EXPECT_EQ(failures_of(passed + "FAIL\tq [build failed]\n"), Failures{""});
  EXPECT_EQ(failures_of(passed + "FAIL\tp [build failed]\n"), Failures{""}) << "a second `go test`, appended";
  EXPECT_EQ(failures_of(passed + "pkg: p\nFAIL\nexit status 1\nFAIL\tp\t1s\n"), Failures{""});
  EXPECT_EQ(failures_of("FAIL\tq\t1s\n" + passed), Failures{""});
  EXPECT_EQ(failures_of("pkg: q\nBenchmarkA-8 10 5 ns/op\nFAIL\nFAIL\tq\t1s\n" + passed),
            (Failures{"`go test` of q failed", ""}));
}

bool warns_of_no_end(const std::string& text) {
  const auto read = read_go(text);
  return !read.empty() &&
         warns(read[0], "go.txt: `go test` has no PASS, FAIL or ok at its end: the file may have been");
}

TEST(GoText, OutputWithoutItsEndIsDoubted) {
  const std::string begins = "goos: linux\npkg: p\nBenchmarkA-8 10 5 ns/op\n";
  const std::string whole = begins + "PASS\nok  \tp\t1s\n";
  EXPECT_TRUE(warns_of_no_end(begins));
  EXPECT_TRUE(warns_of_no_end(whole + begins));
  EXPECT_TRUE(warns_of_no_end(begins + whole)) << "cut off, then appended to";
  EXPECT_TRUE(warns_of_no_end(whole + "pkg: q\n")) << "its first benchmark did not end";
  for (const char* const end : {"PASS\n", "FAIL\n", "exit status 2\n", "FAIL\tp\t1s\n", "ok  \tp\t1s\n"})
    EXPECT_FALSE(warns_of_no_end(begins + end)) << end;
  EXPECT_FALSE(warns_of_no_end(whole + "pkg: q\nPASS\n?   \tr\t[no test files]\n"));
  EXPECT_FALSE(warns_of_no_end("BenchmarkA-8 10 5 ns/op\nBenchmarkA-8 10 6 ns/op\n")) << "grep Benchmark";
  EXPECT_FALSE(warns_of_no_end(begins + begins)) << "grep -v PASS of several";
}

TEST(GoText, ALastResultWithoutLineBreakIsDoubted) {
  const auto doubted = [](const std::string& text) {
    return warns(read_go(text)[0],
                 "go.txt: its last line has no line break: the file may have been cut off, and the "
                 "last value of \"A-8\" may be incomplete or missing");
  };
  const std::string result = "BenchmarkA-8 10 5 ns/op 8 B/op";
  EXPECT_TRUE(doubted(result + "\n" + result + " 1 allocs/o")) << "grep Benchmark";
  EXPECT_FALSE(doubted(result + "\n"));
  EXPECT_FALSE(doubted("pkg: p\n" + result + "\nPASS")) << "a whole file whose last line break is gone";
  EXPECT_FALSE(doubted("pkg: p\n" + result)) << "its missing end is a doubt already";
  EXPECT_TRUE(warns_of_no_end("pkg: p\n" + result));
}

TEST(GoText, EventsWithoutTheirEndAreDoubted) {
  const auto event = [](const std::string& package, const std::string& output) {
    return R"({"Action":"output","Package":")" + package + R"(","Output":")" + output + "\"}\n";
  };
  const std::string p = event("p", R"(pkg: p\nBenchmarkA-8 10 5 ns/op\n)");
  const std::string q = event("q", R"(pkg: q\nBenchmarkA-8 10 5 ns/op\n)");
  EXPECT_TRUE(warns_of_no_end(p));
  EXPECT_TRUE(warns_of_no_end(p + q)) << "of packages at the same time";
  EXPECT_TRUE(warns_of_no_end(p + q + event("p", R"(PASS\n)")));
  EXPECT_FALSE(warns_of_no_end(p + "{\"Action\":\"pass\",\"Package\":\"p\"}\n"));
  EXPECT_FALSE(warns_of_no_end(p + "{\"Action\":\"fail\",\"Package\":\"p\"}\n"));
  EXPECT_TRUE(warns_of_no_end(p + "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestA\"}\n"));
}

TEST(GoText, ObeysEventsOfFailures) {
  const auto output = [](const std::string& lines) {
    return R"({"Action":"output","Package":"p","Output":")" + lines + "\"}\n";
  };
  const std::string results = output(R"(pkg: p\nBenchmarkA-8 10 5 ns/op\nBenchmarkB-8 10 6 ns/op\n)");
  const std::string of_benchmark = "{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"BenchmarkB\"}\n";
  const std::string of_package = "{\"Action\":\"fail\",\"Package\":\"p\"}\n";
  EXPECT_EQ(failures_of(results + of_benchmark + of_package), (Failures{"", "no reason given"}));
  EXPECT_EQ(failures_of(results + output(R"(--- FAIL: BenchmarkB-8\n    b_test.go:9: wrong sum\n)") + of_benchmark +
                        output(R"(FAIL\n)") + of_package),
            (Failures{"", "b_test.go:9: wrong sum"}));
  EXPECT_EQ(failures_of(results + of_package), (Failures{"`go test` of p failed", "`go test` of p failed"}));
  EXPECT_EQ(failures_of(results + "{\"Action\":\"pass\",\"Package\":\"p\"}\n"), (Failures{"", ""}));
  EXPECT_TRUE(warns(read_go(results + of_package)[0], "`go test` of p failed"));
}

TEST(GoText, OneNameOfSeveralPackagesHasNoVerdict) {
  const auto ambiguous = [](const std::vector<std::pair<std::string, int>>& lines, const std::string& before = "") {
    std::string text = before;
    for (const auto& [name, ns] : lines) text += "Benchmark" + name + " 10 " + std::to_string(ns) + " ns/op\n";
    const auto processes = read_go(text);
    const ImportedCase* const found = find_case(processes[0], before.empty() ? "A" : "p.A");
    return found != nullptr && !found->ambiguous.empty();
  };
  EXPECT_TRUE(ambiguous({{"A", 100}, {"A", 101}, {"A", 20}, {"A", 21}}));
  EXPECT_TRUE(ambiguous({{"A", 100}, {"B", 5}, {"A", 20}}));
  EXPECT_TRUE(ambiguous({{"A", 100}, {"B", 5}, {"A", 20}, {"B", 5}, {"A", 101}, {"B", 5}, {"A", 20}}));
  EXPECT_FALSE(ambiguous({{"A", 100}, {"A", 101}, {"A", 20}, {"A", 21}}, "pkg: p\n"));
  EXPECT_FALSE(ambiguous({{"A", 100}, {"A", 250}, {"A", 101}, {"A", 102}})) << "one odd line";
  EXPECT_FALSE(ambiguous({{"A", 100}, {"B", 5}, {"A", 120}, {"B", 5}, {"A", 90}}));
  const std::string event = R"({"Action":"output","Package":"p","Output":"BenchmarkA 10 5 ns/op\n"})";
  EXPECT_EQ(read_go(event + "\n")[0].cases[0].name, "p.A") << "an event names the package";
}

// benchstat's answers to its own example: an exact unit with one value, and one that is not exact after all.
TEST(GoText, ObeysUnitLines) {
  const std::string units = fixture_text("benchstat/units.txt");
  const std::size_t after = units.find("note: after");
  const auto before = read_go(units.substr(0, after));
  ASSERT_EQ(before.size(), 1U);
  const ImportedCase* size = find_case(before[0], "Size");
  ASSERT_EQ(size->metrics.size(), 1U);
  EXPECT_EQ(size->metrics[0].metric.kind, record::MetricKind::exact);
  EXPECT_EQ(size->metrics[0].value, 100);
  EXPECT_EQ(find_case(before[0], "NonExact")->skipped,
            "text-bytes is declared exact, but its values range from 100 to 101: not compared");
  EXPECT_TRUE(warns(read_go(units)[0], "note is \"before\" and then \"after\""));

  // Beside a time it is a metric of its own where the file says what is better, and a warning where not.
  const std::string varied = "BenchmarkA 10 5 ns/op 70 w\nBenchmarkA 10 5 ns/op 80 w\n";
  const auto judged = read_go("Unit w better=lower assume=exact\n" + varied);
  ASSERT_EQ(judged[0].cases[0].metrics.size(), 1U);
  const ImportedMetric& sampled = judged[0].cases[0].metrics[0];
  EXPECT_EQ(sampled.metric.name, "w_sampled");
  EXPECT_TRUE(sampled.metric.judged);
  EXPECT_EQ(sampled.samples, (std::vector<double>{70, 80}));
  EXPECT_TRUE(judged[0].warnings.empty());
  const auto open = read_go("Unit w assume=exact\n" + varied);
  EXPECT_TRUE(open[0].cases[0].metrics.empty());
  EXPECT_TRUE(warns(open[0], "w of A: declared exact, but its values differ, not compared"));

  const auto custom =
      read_go("Unit req/s better=higher\nBenchmarkA 10 5 ns/op 70 req/s\nBenchmarkA 10 5 ns/op 80 req/s\n");
  ASSERT_EQ(custom[0].cases[0].metrics.size(), 1U);
  EXPECT_EQ(custom[0].cases[0].metrics[0].metric.direction, record::Direction::higher_is_better);
  EXPECT_EQ(custom[0].cases[0].metrics[0].samples, (std::vector<double>{70, 80}));
}

TEST(GoText, ReadsRates) {
  auto processes = read_go(fixture_text("go/rates.txt"));
  ASSERT_EQ(processes.size(), 1U);
  settle_directions(processes[0], {});
  const ImportedCase* exec = find_case(processes[0], "example.org/rates.Exec-8");
  ASSERT_NE(exec, nullptr);
  EXPECT_EQ(exec->bytes_per_call, 6400000);
  std::vector<std::pair<std::string, record::Direction>> found;
  for (const ImportedMetric& each : exec->metrics) found.emplace_back(each.metric.name, each.metric.direction);
  using enum record::Direction;
  EXPECT_EQ(found, (std::vector<std::pair<std::string, record::Direction>>{
                       {"retries/s", lower_is_better}, {"tx/s", higher_is_better}, {"MB/s", higher_is_better}}));
  EXPECT_TRUE(warns(processes[0], "mgas/s: direction unknown, not judged; set it"));
}

// Package testing prints two decimals: of 0.83 MB/s a step is 1.2 %.
TEST(GoText, ARateOfFewDigitsIsNotJudged) {
  const auto rate_of = [](const std::string& lines) {
    const auto read = read_go(lines);
    EXPECT_EQ(read[0].cases[0].metrics.size(), 1U);
    return std::pair(read[0].cases[0].metrics.at(0).metric.judged, read[0].cases[0].bytes_per_call.value_or(0));
  };
  EXPECT_EQ(rate_of("BenchmarkA 10 1200000 ns/op 0.83 MB/s\n"), std::pair(false, 996.0));
  EXPECT_EQ(rate_of("BenchmarkA 10 500000 ns/op 2.00 MB/s\nBenchmarkA 10 500000 ns/op 1.99 MB/s\n"),
            std::pair(false, 1000.0));
  EXPECT_EQ(rate_of("BenchmarkA 10 500000 ns/op 2.00 MB/s\nBenchmarkA 10 400000 ns/op 2.50 MB/s\n"),
            std::pair(true, 1000.0));
  // Files on both sides of the limit are one run, in which it is not judged.
  for (const auto& [first, second] : {std::pair("2.10", "1.90"), std::pair("1.90", "2.10")}) {
    auto read = read_go("BenchmarkA 10 500 ns/op " + std::string(first) + " MB/s\nPASS\nBenchmarkA 10 501 ns/op " +
                        second + " MB/s\nPASS\n");
    const auto run = run_of_processes({read}, "0");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->cases[0].metrics.size(), 2U);
    EXPECT_FALSE(run->cases[0].metrics[1].judged);
  }
}

// Found by fuzzing: a benchmark whose lines have a time in one process and none in the next.
TEST(GoText, ProcessesOfARunHaveTheSameMetrics) {
  auto read = read_go("BenchmarkA 10 70 MB/s\nPASS\nBenchmarkA 10 5 ns/op\nPASS\n");
  ASSERT_EQ(read.size(), 2U);
  const auto run = run_of_processes({read}, "0");
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("\"A\" has other metrics in another process"), std::string::npos);
}

TEST(GoText, CountersThatDifferAreSamples) {
  const auto read = read_go("BenchmarkA 10 5 ns/op 96 B/op 1 allocs/op\nBenchmarkA 10 5 ns/op 112 B/op 1 allocs/op\n");
  const auto& metrics = read[0].cases[0].metrics;
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].metric.name, "allocated_bytes_sampled");
  EXPECT_EQ(metrics[0].samples, (std::vector<double>{96, 112}));
  EXPECT_EQ(metrics[1].value, 1);
}

// A program may report a metric of its own in the unit of benchstat's times.
TEST(GoText, SecondsBesideNanosecondsAreAMetric) {
  auto read = read_go("pkg: p\nBenchmarkX-8 1000 100 ns/op 0.5 sec/op\nBenchmarkY-8 1000 2e-7 sec/op\nPASS\n");
  ASSERT_EQ(read.size(), 1U);
  settle_directions(read[0], {});
  const ImportedCase* both = find_case(read[0], "p.X-8");
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(both->time_ns, std::vector<double>{100});
  ASSERT_EQ(both->metrics.size(), 1U);
  EXPECT_EQ(both->metrics[0].metric.name, "sec/op");
  EXPECT_EQ(both->metrics[0].samples, std::vector<double>{0.5});
  EXPECT_EQ(both->metrics[0].metric.direction, record::Direction::lower_is_better);
  EXPECT_EQ(find_case(read[0], "p.Y-8")->time_ns, std::vector<double>{2e-7 * 1e9});
}

TEST(GoText, OneUnitTwiceOnALineIsAMistake) {
  EXPECT_EQ(error_of_go("pkg: p\nBenchmarkX-8 1000 100 ns/op 130 ns/op\nPASS\n"),
            "go.txt:2: \"X-8\" has two values in ns/op");
}

TEST(GoText, RefusesWhatCannotBeMeasured) {
  EXPECT_NE(error_of_go("goos: linux\nPASS\n").find("no benchmark results"), std::string::npos);
  EXPECT_NE(
      error_of_go("BenchmarkA 1 5 ns/op\nBenchmark" + std::string(10'000, 'X') + " 1 5 ns/op\n").find("go.txt:2: "),
      std::string::npos);
  const auto odd =
      read_go("BenchmarkA 10 NaN ns/op\nBenchmarkB 10 -5 ns/op\nBenchmarkC 10 1e300 ns/op\nBenchmarkD 10 1 ns/op\n");
  EXPECT_NE(find_case(odd[0], "A")->failure.find("invalid value"), std::string::npos);
  EXPECT_EQ(find_case(odd[0], "B")->failure, "invalid time: -5 ns");
  EXPECT_EQ(find_case(odd[0], "C")->failure, "invalid time: 1e+300 ns");
  EXPECT_EQ(find_case(odd[0], "D")->time_ns, std::vector<double>{1});
}

TEST(GoText, IsRecognisedByAResult) {
  EXPECT_TRUE(is_go_text("some log\nBenchmarkA-8   10   5 ns/op\n"));
  EXPECT_TRUE(is_go_text("goos: linux\ngoarch: amd64\n"));
  EXPECT_TRUE(is_go_text(fixture_text("go/go_test.json")));
  EXPECT_FALSE(is_go_text("Benchmark          Time             CPU   Iterations\nBM_x    5 ns   5 ns   100\n"));
  EXPECT_FALSE(is_go_text("Benchmarking is fun\n"));
  EXPECT_FALSE(is_go_text("Benchmarks 10 days long\n"));
}

}  // namespace
}  // namespace torchgate::import
