// SPDX-License-Identifier: Apache-2.0
// What is read although another program wrote it in its own way, and what is said of what cannot be read.
#include "harness/import/unknown_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "harness/import/import.hpp"
#include "harness/import/lines.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;
using testing::fixture_path;
using testing::fixture_text;

class UnknownFile : public ::testing::Test {
 protected:
  fs::path file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::string error_of(const std::string& text) {
    const auto run = import_run({file("file.txt", text)}, "0");
    return run ? "none" : run.error().message;
  }

  void says(const std::string& text, const std::string& part) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_EQ(error.find("supported:"), std::string::npos) << error;
  }

  base::testing::TemporaryFolder folder_;
};

// As PowerShell writes what is ASCII.
std::string utf16(const std::string& text, bool big) {
  std::string wide = big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : text) {
    if (big) wide += '\0';
    wide += c;
    if (!big) wide += '\0';
  }
  return wide;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

TEST_F(UnknownFile, EveryEncodingOfEveryFormatIsRead) {
  for (const char* name :
       {"google_benchmark_1.7.1.json", "google-benchmark/repetitions_1.7.1.csv", "nvbench/excerpt_ref.json",
        "pytest_output.json", "pyperf/mult_list_py36.json", "hyperfine/hyperfine_1.15.json",
        "catch2/catch2_2.13.10.xml", "catch2/console_2.13.10.txt", "criterion/sum/fast/new/estimates.json",
        "action/data.js", "benchstat/old.txt", "go/go_test.json"}) {
    const std::string text = fixture_text(name);
    const auto expected = import_run({file("file.txt", text)}, "0");
    ASSERT_TRUE(expected) << expected.error().message;
    std::vector<std::string> others{"\xEF\xBB\xBF" + text};
    if (is_ascii(text)) {
      for (const bool big : {false, true}) others.push_back(utf16(text, big));
    }
    for (const std::string& other : others) {
      const auto run = import_run({file("file.txt", other)}, "0");
      ASSERT_TRUE(run) << name << ": " << run.error().message;
      // Its round numbers do not tell it from another file: only its bytes do.
      if (std::string_view(name).starts_with("criterion")) continue;
      EXPECT_EQ(run->id, expected->id) << name;
    }
  }
}

// As `grep --color=always` and programs write them: around a name, around a line, and a reset behind it.
std::string coloured(const std::string& text, const std::string& name) {
  std::string other;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(name); at != std::string::npos && !line.starts_with('{'))
      line.replace(at, name.size(), "\x1b[01;31m\x1b[K" + name + "\x1b[m\x1b[K");
    other += "\x1b[?25l\x1b[38:5:2m" + line + "\x1b[0m\n";
  }
  return other;
}

TEST_F(UnknownFile, ColoursOfLinesAreLeftOut) {
  for (const auto& [fixture, name] :
       {std::pair("google-benchmark/repetitions_1.7.1.csv", "sum"), std::pair("catch2/console_2.13.10.txt", "samples"),
        std::pair("benchstat/old.txt", "Benchmark"), std::pair("go/go_test.txt", "ns/op"),
        std::pair("go/go_test.txt", "Benchmark"), std::pair("go/go_test.json", "none")}) {
    const std::string text = fixture_text(fixture);
    const auto expected = import_run({file("file.txt", text)}, "0");
    ASSERT_TRUE(expected) << expected.error().message;
    const auto run = import_run({file("file.txt", coloured(text, name))}, "0");
    ASSERT_TRUE(run) << fixture << ": " << run.error().message;
    EXPECT_EQ(run->id, expected->id) << fixture;
  }
}

TEST_F(UnknownFile, ColoursInEventsOfGoAreLeftOut) {
  const auto run = import_run(
      {file("file.txt",
            R"({"Action":"output","Package":"p","Output":"\u001b[32mBenchmarkA-8 10 5.125 ns/op\u001b[0m\n"})")},
      "0");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->cases.at(0).name, "p.A-8");
}

TEST_F(UnknownFile, AColourThatWasCutOffEndsNoLine) {
  EXPECT_EQ(without_colours("a\x1b[1\nb\x1b[0mc\x1b["), "a\nbc");
}

constexpr const char* results = R"({"context": {"num_cpus": 2},
 "benchmarks": [
  {"name": "a",
   "real_time": 1}
 ]
}
)";

TEST_F(UnknownFile, LinesThatAreNotJsonAreNamed) {
  const std::string text = results;
  EXPECT_EQ(error_of(text), "none");
  says("ArborX version: 2.0\n[info] warm-up done\n" + text,
       "file.txt: line 1 is not JSON: \"ArborX version: 2.0\"; the results of Google Benchmark JSON begin at line 3; "
       "the program prints to the same "
       "place, so let the results be written with --benchmark_out=FILE --benchmark_out_format=json");
  says("\n\n***WARNING*** CPU scaling is enabled\n" + text,
       "line 3 is not JSON: \"***WARNING*** CPU scaling is enabled\"");
  says(text + "min number of neighbors 3\n",
       "line 7 is not JSON: \"min number of neighbors 3\"; the program prints to the same place");
  std::string inside = text;
  inside.insert(inside.find(" \"benchmarks\""), " [info] 3 devices\n");
  says(inside, "line 2 is not JSON: \"[info] 3 devices\"");
  says(text + text, "at line 7 the results of another run begin; write each run into a file of its own");
  // Damaged, not printed: where.
  std::string damaged = text;
  damaged.replace(damaged.find(": 1}"), 3, ": x");
  says(damaged, "(line 4)");
  const std::string hyperfine = R"({"results": [{"command": "true", "times": [1, 2]}]})";
  says("warning: a statistical outlier\n" + hyperfine, "let the results be written with --export-json FILE");
}

TEST_F(UnknownFile, LinesBeforeAListOrDataAreNamed) {
  const std::string list = R"([{"name": "x", "unit": "ms", "value": 5}])";
  const std::string found =
      "line 1 is not JSON: \"starting\"; the results of github-action-benchmark data begin at line 3; ";
  says("starting\nready\n" + list, found + "remove the lines before them");
  says("starting\nready\nwindow.BENCHMARK_DATA = {\"lastUpdate\": 1, \"entries\": {}}", found);
}

TEST_F(UnknownFile, AGoTestWithoutResultsIsAnsweredWithWhatEndedIt) {
  const std::string failed = "`go test` failed before it had a result: ";
  says("goos: linux\npkg: p\npanic: boom\n\ngoroutine 1 [running]:\nexit status 2\nFAIL\tp\t0.1s\n",
       "file.txt:3: " + failed + "panic: boom; repair it and measure again");
  says("# p\n./a.go:3:1: undefined: x\nFAIL\tp [build failed]\nFAIL\n", "line 3: " + failed);
  says("goos: linux\nPASS\n", "no benchmark results; check what `go test -bench` selected");
}

TEST_F(UnknownFile, ACounterCalledAsATimeIsToBeRenamed) {
  says(R"({"context": {"num_cpus": 2}, "benchmarks": [{"name": "a", "real_time": 1, "real_time": 2}]})",
       "/benchmarks/0/real_time: duplicate key: a counter of the program has this name, too; rename the counter");
}

TEST_F(UnknownFile, ADecimalCommaIsNamed) {
  const auto run = import_run({file("a.json", R"([{"name": "x", "unit": "ms", "value": "5,25"}])")}, "0");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->processes.at(0).cases.at(0).message.text(),
            "invalid value: \"5,25\" is not a number; it has a decimal comma: run the program with LC_ALL=C");
  const auto xml = import_run({file("a.xml", R"(<?xml version="1.0" encoding="UTF-8"?>
<Catch2TestRun name="b" catch2-version="3.4.0"><TestCase name="t">
<BenchmarkResults name="b" samples="100" iterations="1"><mean value="100,5"/></BenchmarkResults>
<OverallResult success="true"/></TestCase></Catch2TestRun>)")},
                              "0");
  ASSERT_TRUE(xml) << xml.error().message;
  EXPECT_EQ(xml->processes.at(0).cases.at(0).message.text(),
            "mean: \"100,5\" is not a number; it has a decimal comma: run the program with LC_ALL=C");
}

TEST_F(UnknownFile, ConsoleTablesAreNamed) {
  const std::string table =
      "2026-05-04T10:00:00+00:00\nRunning ./my bench\nRun on (4 X 2400 MHz CPU s)\n---\n"
      "Benchmark           Time             CPU   Iterations UserCounters...\n---\nBM_x             10.1 ns         "
      "10.1 ns     69342323\n";
  says(table, "the console table of Google Benchmark");
  says(table, "`'./my bench' --benchmark_repetitions=10 --benchmark_out=FILE --benchmark_out_format=json`");
  says("Benchmark           Time           CPU Iterations\n", "`PROGRAM --benchmark_repetitions=10");
  says("Benchmark 1: true\n  Time (mean \u00b1 \u03c3):  1 ms\n", "--export-json FILE");
  says("sum/fast   time:   [1.0 ns 1.1 ns 1.2 ns]\n", "name its folder target/criterion");
}

TEST_F(UnknownFile, NamesWhatTheFileIs) {
  says("", "file.txt: empty");
  says("\n\r\n \n", "file.txt: empty");
  says("\x1f\x8b\x08 ...", "compressed with gzip; unpack it first");
  says("PK\x03\x04 ...", "a zip archive; unpack it first");
  EXPECT_NE(error_of(std::string("\x01\x00\x02", 3)).find("not a text"), std::string::npos);
  EXPECT_NE(error_of("hello\n").find("unknown format; supported: Google Benchmark JSON"), std::string::npos);
}

TEST_F(UnknownFile, EmptyListsAreNamed) {
  says(R"({"results": []})", R"(the list "results" is empty; check which benchmarks)");
  says("[]\n", "an empty list; check which benchmarks");
  says(R"({"benchmarks": [], "devices": [], "meta": {}})", R"(the list "benchmarks" is empty)");
  says(R"({"version": "1.0", "metadata": {}, "benchmarks": []})", R"(the list "benchmarks" is empty)");
  EXPECT_NE(error_of(R"({"results": [1]})").find("supported:"), std::string::npos);
}

TEST_F(UnknownFile, TablesOfNvbenchAreNamed) {
  says(
      "Benchmark,Device,Device Name,Skipped,N,Samples,CPU Time (sec),Noise,GPU Time (sec),Noise\n"
      "copy,0,H200,No,1,1000,1.1e-5,0.01,1e-5,0.01\n",
      "a table of NVBench (--csv, --md), which has no samples; let it write JSON with --json FILE or --jsonbin FILE");
  says("### [0] H200\n\n| N | Samples |  CPU Time  | Noise  |  GPU Time  | Noise  |\n|---|---------|------------|\n",
       "--jsonbin FILE");
}

TEST_F(UnknownFile, FoldersAreAnsweredWithTheirFiles) {
  const fs::path folder = folder_ / "my results";
  fs::create_directories(folder);
  EXPECT_NE(unknown_folder(folder).message.find("without result files"), std::string::npos);
  std::ofstream(folder / "a.json") << results;
  std::ofstream(folder / "notes.txt") << "hello";
  EXPECT_EQ(unknown_folder(folder / "absent").message,
            (folder / "absent").string() + ": cannot read the folder: No such file or directory");
  EXPECT_EQ(unknown_folder(folder).message,
            folder.string() + ": a folder without results of Criterion; name its files, separated by commas: \"$(ls '" +
                folder.string() + "'/*.json | paste -sd,)\"");
  const auto run = import_run({folder}, "0");
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("name its files"), std::string::npos);
}

TEST_F(UnknownFile, FilesThatEndInTheirFirstBytesAreTruncated) {
  for (const auto& [name, most] :
       {std::pair("google_benchmark_1.7.1.json", 100), std::pair("nvbench/excerpt_ref.json", 300),
        std::pair("pyperf/mult_list_py36.json", 300), std::pair("hyperfine/hyperfine_1.15.json", 40),
        std::pair("action/custom.json", 20), std::pair("catch2/catch2_2.13.10.xml", 50)}) {
    for (int bytes = 1; bytes < most; bytes += 9) {
      const std::string text = fixture_text(name).substr(0, static_cast<std::size_t>(bytes));
      const std::string error = error_of(text);
      EXPECT_NE(error.find("truncated"), std::string::npos) << text << "\n" << error;
      EXPECT_EQ(error.find("supported:"), std::string::npos) << error;
    }
  }
  EXPECT_EQ(error_of("{\n \"context\": {").substr((folder_ / "file.txt").string().size()),
            ": truncated: it ends before it shows which tool wrote it; did the program that should have written it end "
            "early?");
  EXPECT_NE(error_of(R"({"a": 1})").find("unknown format"), std::string::npos) << "whole";
  EXPECT_NE(error_of("<?xml version=\"1.0\"?><a></a>").find("unknown format"), std::string::npos) << "whole";
}

// As `jq -C` writes it.
TEST_F(UnknownFile, ColoursInJsonAreNamed) {
  const std::string text = results;
  for (const std::string& other :
       {"\x1b[0m" + text, text.substr(0, 1) + "\x1b[1m" + text.substr(1), coloured(text, "none")})
    says(other,
         "Google Benchmark JSON with colours of a terminal, which are not JSON; let the results be written with "
         "--benchmark_out=FILE --benchmark_out_format=json, or remove the colours with `sed "
         "'s/\\x1b\\[[0-9;]*[A-Za-z]//g' FILE`");
  says("\x1b[32mstarting\x1b[0m\n\x1b[0m" + text, "line 1 is not JSON: \"starting\"");
}

// A hostile file may be very long.
TEST_F(UnknownFile, ManyBracesAreAnErrorToo) {
  std::string text = "log\n";
  for (int i = 0; i < 20'000; ++i) text += "{\n[\n";
  EXPECT_NE(error_of(text).find("unknown format"), std::string::npos);
}

TEST_F(UnknownFile, FilesOfToolsThatAreNotReadAreNamed) {
  says("command,mean,stddev,median,user,system,min,max\n./x,1,0,1,1,0,1,1\n", "a CSV export of hyperfine");
  says("| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n", "a Markdown export of hyperfine");
  says(R"({"reason":"benchmark-complete","id":"g/x","measured_values":[1.0]})", "run `cargo bench`");
  const std::string go = "name the files that it was made from: output of `go test -bench`";
  says(
      "goos: linux\n         │   old.txt   │            new.txt            │\n"
      "         │   sec/op    │   sec/op     vs base          │\nX-8  1.0n ± 1%  2.0n ± 1%  +100% (p=0.000 n=10)\n",
      go);
  says("goos: linux\n,old.txt,,new.txt\n,sec/op,CI,sec/op,CI,vs base,P\nX-8,1e-9,1%,2e-9,1%,+100%,p=0.0\n",
       "the CSV of benchstat; " + go);
  says("name  old time/op  new time/op  delta\nX-8   1.00ns ± 1%  2.00ns ± 1%  +100.00%  (p=0.000 n=10+10)\n", go);
  says(R"([{"jmhVersion": "1.37", "benchmark": "a"}])", "results of JMH, which torchgate does not read");
  says("\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"\n", "a CSV of JMH");
  says(R"x({"results": [{"title": "b", "name": "x", "median(elapsed)": 1e-8}]})x", "results of nanobench");
  says("# JMH version: 1.37\n# VM version: JDK 17\n", "the console output of JMH, which torchgate does not read");
  says("Benchmark  (size)   Mode  Cnt    Score   Error  Units\nA.b  8  thrpt    5  1.0 \u00b1 0.1  ops/s\n",
       "the table of JMH, which torchgate does not read; write the values as a list");
  says(R"({"commit_hash": "aa", "results": {}, "params": {}})", "results of asv");
  const std::string bdn = " of BenchmarkDotNet, which torchgate does not read; write the values as a list";
  says("Method,Job,AnalyzeLaunchVariance,Mean,Error\nFoo,Default,Default,1 ns,1 ns\n", "a CSV" + bdn);
  says("Target;Target_Type;Job_AnalyzeLaunchVariance;Measurement_Value\nA;B;Default;1\n", "a CSV" + bdn);
  says("```\n\nBenchmarkDotNet v0.13.12, Ubuntu\n```\n| Method | Mean     |\n|------- |---------:|\n",
       "the table" + bdn);
  const std::string rounds =
      "a CSV of pytest-benchmark, which has no single rounds; let it write JSON with --benchmark-json=FILE";
  says("name,min,max,mean,stddev,median,iqr,outliers,ops,rounds,iterations\nt.py::t,1,2,1.5,.1,1.5,.1,1;2,5,10,1\n",
       rounds);
  says("name,param:n,min,max,mean,stddev,rounds,iterations\nt.py::t,4,1,2,1.5,.1,10,1\n", rounds);
  says(R"({"Title": "X", "HostEnvironmentInfo": {}, "Benchmarks": []})", "results of BenchmarkDotNet");
  says("running 1 test\ntest bench_a ... bench:       1,000 ns/iter (+/- 20)\n", "#[bench] functions");
  says("[" + std::string(R"({"context": {"num_cpus": 2}, "benchmarks": []})") + "]", "inside a list");
  says("name;iterations;real_time;cpu_time;time_unit\n\"x\";10;1,5;1,5;ns\n", "with semicolons");
  says("name,iterations,cpu_time,real_time,time_unit\n\"x\",10,5,6,ns\n", "in another order");
}

}  // namespace
}  // namespace torchgate::import
