// SPDX-License-Identifier: Apache-2.0
// Suites as programs: started, and what they print and write read back. Times are compared with what the program is
// known to do, within what a busy machine does to a sleep; nothing here waits for a clock to agree closely.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace {

using nlohmann::json;

struct Ended {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

Ended run(const std::string& command) {
  Ended ended;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ended;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) ended.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class SuiteProgram : public ::testing::Test {
 protected:
  // Google Benchmark's JSON of the fixture suite, with as little measuring as there can be.
  json benchmarks(const std::string& flags, const std::string& file = "out.json") {
    const auto path = folder / file;
    const Ended ended = run(
        fixture + " --torchgate_profile=quick --benchmark_min_time=0 --benchmark_out=" + path.string() + " " + flags);
    EXPECT_EQ(ended.exit_code, 0) << ended.text;
    return json::parse(read(path));
  }

  const std::string fixture = TORCHGATE_FIXTURE_SUITE;
  const std::string example = TORCHGATE_EXAMPLE_SUITE;
  const std::string mistaken = TORCHGATE_MISTAKEN_SUITE;
  const torchgate::base::testing::TemporaryFolder scratch;
  const std::filesystem::path folder = scratch.path();
};

TEST_F(SuiteProgram, ListsWhatCanRun) {
  const Ended ended = run(fixture + " --benchmark_list_tests");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.text,
            "fixture/sleep/sleep/ms:2/process_time/manual_time\n"
            "fixture/sleep/sleep/ms:6/process_time/manual_time\n"
            "fixture/spin/spin/process_time/manual_time\n"
            "fixture/bad/one/process_time/manual_time\n"
            "fixture/bad/two/process_time/manual_time\n"
            "fixture/bad/fails/process_time/manual_time\n"
            "fixture/counts/counts/process_time/manual_time\n");
}

TEST_F(SuiteProgram, TimeIsTheMeanOfTheCallsAndIterationsAreTheirNumber) {
  const json out = benchmarks("--benchmark_filter=sleep");
  ASSERT_EQ(out["benchmarks"].size(), 2U);
  for (const json& b : out["benchmarks"]) {
    const double us = b["name"].get<std::string>().find("ms:2") != std::string::npos ? 2'000 : 6'000;
    EXPECT_EQ(b["time_unit"], "us");
    EXPECT_GE(b["real_time"], us) << "no sleep is shorter";
    EXPECT_LE(b["real_time"], 5 * us);
    EXPECT_LT(b["cpu_time"], us / 2) << "a sleeping process uses no CPU";
    EXPECT_EQ(b["iterations"], 15) << "quick takes 15 samples, here of one call each";
    EXPECT_EQ(b["samples"], 15);
    EXPECT_EQ(b["calls_per_sample"], 1);
    const double items = us / 1000;
    EXPECT_NEAR(b["items_per_second"].get<double>(), items / (b["real_time"].get<double>() * 1e-6), 1e-3 * items * 1e3);
  }
  EXPECT_NE(out["context"]["torchgate_skipped"].get<std::string>().find("1 case, the first because: this CPU has no"),
            std::string::npos);
}

TEST_F(SuiteProgram, CpuTimeIsOfTheSameCalls) {
  const json b = benchmarks("--benchmark_filter=spin")["benchmarks"][0];
  EXPECT_GE(b["real_time"], 1'000);
  EXPECT_GT(b["cpu_time"].get<double>(), 0.1 * 1'000) << "a spinning process uses CPU, however busy the machine";
  EXPECT_LE(b["cpu_time"].get<double>(), 1.2 * b["real_time"].get<double>());
}

TEST_F(SuiteProgram, FailedAndWrongCasesAreErrors) {
  const json out = benchmarks("--benchmark_filter=bad");
  std::map<std::string, json> by_name;
  for (const json& b : out["benchmarks"]) by_name[b["name"]] = b;
  ASSERT_EQ(by_name.size(), 3U);
  EXPECT_FALSE(by_name["fixture/bad/one/process_time/manual_time"].contains("error_occurred"));
  const json& fails = by_name["fixture/bad/fails/process_time/manual_time"];
  EXPECT_EQ(fails["error_occurred"], true);
  EXPECT_EQ(fails["error_message"], "the model is \"broken\"");
  const json& two = by_name["fixture/bad/two/process_time/manual_time"];
  EXPECT_EQ(two["error_occurred"], true);
  EXPECT_EQ(two["error_message"], "output differs from fixture/bad/one: relative L2 distance 1, allowed 1e-05");
}

TEST_F(SuiteProgram, FastCallsAreCountedInBlocks) {
  const json b = benchmarks("--torchgate_filter=counts")["benchmarks"][0];
  EXPECT_EQ(b["iterations"].get<double>(), b["calls_per_sample"].get<double>() * 15);
  EXPECT_GT(b["calls_per_sample"].get<double>(), 16);
  EXPECT_EQ(b["pages"], 3) << "what the case counts itself";
}

TEST_F(SuiteProgram, RepetitionsAndFilesAreReadByGoogleBenchmarksTools) {
  const json out = benchmarks("--benchmark_filter=ms:2 --benchmark_repetitions=3", "a.json");
  EXPECT_EQ(out["benchmarks"].size(), 3U + 4U) << "three runs, then mean, median, stddev and cv";
  benchmarks("--benchmark_filter=ms:2 --benchmark_repetitions=3", "b.json");
  const std::string compare = "/usr/share/benchmark/compare.py";
  if (!std::filesystem::exists(compare)) GTEST_SKIP() << "no " << compare << ": install libbenchmark-tools";
  const bool has_scipy = run("python3 -c 'import scipy, numpy'").exit_code == 0;
  const std::string standins = "PYTHONPATH='" TORCHGATE_TESTS_DIR "/harness/bench/standins' ";
  const Ended ended =
      run("PYTHONDONTWRITEBYTECODE=1 " + (has_scipy ? "" : standins) + "python3 " + compare +
          " --no-utest benchmarks " + (folder / "a.json").string() + " " + (folder / "b.json").string());
  EXPECT_EQ(ended.exit_code, 0) << ended.text;
  for (const std::string row : {"", "_mean", "_median", "_stddev"}) {
    EXPECT_NE(ended.text.find("fixture/sleep/sleep/ms:2/process_time/manual_time" + row + " "), std::string::npos)
        << ended.text;
  }
}

TEST_F(SuiteProgram, ListsItselfToTorchgate) {
  const auto path = folder / "list.json";
  const Ended ended = run(fixture + " --torchgate_list=" + path.string());
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.text, "") << "nothing but the file";
  const auto report = torchgate::record::process_report_from_json(read(path), "list");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->suite, "fixture");
  EXPECT_EQ(report->groups.size(), 5U);
  EXPECT_EQ(report->cases.size(), 8U);
  EXPECT_EQ(report->cases.back().skipped, "this CPU has no no_such_feature");
  EXPECT_TRUE(report->seconds_estimate.has_value());
}

TEST_F(SuiteProgram, MeasuresAGroupForTorchgate) {
  const auto path = folder / "report.json";
  const Ended ended = run(fixture + " --torchgate_group=fixture/bad --torchgate_profile=quick --torchgate_seed=3" +
                          " --torchgate_out=" + path.string());
  EXPECT_EQ(ended.exit_code, 0) << "a failed case is a result: " << ended.text;
  const auto report = torchgate::record::process_report_from_json(read(path), "report");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->results.size(), 3U);
  EXPECT_FALSE(report->objects.empty());
}

TEST_F(SuiteProgram, TheExampleRuns) {
  const auto path = folder / "report.json";
  const Ended ended =
      run(example + " --torchgate_group=example/sum --torchgate_profile=quick --torchgate_out=" + path.string());
  EXPECT_EQ(ended.exit_code, 0) << ended.text;
  const auto report = torchgate::record::process_report_from_json(read(path), "report");
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->results.size(), 4U);
  for (const auto& result : report->results) {
    EXPECT_EQ(result.status, torchgate::record::CaseStatus::ok) << result.message;
  }
  EXPECT_EQ(report->groups.front().claims.size(), 1U);
}

TEST_F(SuiteProgram, MistakesEndItWithTwoAndANameInEveryMode) {
  const std::string out = (folder / "x").string();
  for (const std::string& flags :
       {std::string(), "--torchgate_list=" + out, "--torchgate_group=mistaken/group --torchgate_out=" + out}) {
    const Ended ended = run(mistaken + " " + flags);
    EXPECT_EQ(ended.exit_code, 2) << flags;
    EXPECT_NE(ended.text.find(
                  "mistaken: mistaken/group/v: claim \"time <= 0.5 x at batch:2\" names an unknown case: batch:2"),
              std::string::npos)
        << ended.text;
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST_F(SuiteProgram, BadArgumentsEndItWithTwo) {
  EXPECT_EQ(run(fixture + " --torchgate_profile=fast").exit_code, 2);
  EXPECT_EQ(run(fixture + " --torchgate_filter='('").exit_code, 2);
  EXPECT_EQ(run(fixture + " --no_such_flag").exit_code, 2);
  EXPECT_EQ(run(fixture + " --torchgate_group=fixture/none --torchgate_out=" + (folder / "x").string()).exit_code, 2);
  EXPECT_EQ(run(fixture + " --torchgate_list=" + (folder / "no/such/folder").string()).exit_code, 2);
}

TEST_F(SuiteProgram, HelpKnowsItsOwnFlags) {
  const Ended ended = run(fixture + " --help");
  EXPECT_NE(ended.text.find("--torchgate_list=FILE"), std::string::npos);
  EXPECT_NE(ended.text.find("--benchmark_filter"), std::string::npos);
}

// Between two marks: the lines after the first up to the second.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto from = text.find(begin);
  if (from == std::string::npos) return "";
  const auto first = from + begin.size();
  const auto last = text.find(end, first);
  return last == std::string::npos ? "" : text.substr(first, last - first);
}

TEST(BenchReadme, QuotesAnExampleThatIsCompiled) {
  const std::filesystem::path tests = TORCHGATE_TESTS_DIR;
  const std::string code =
      between(read(tests / "harness/bench/example_suite.cpp"), "// [example]\n", "// [/example]\n");
  ASSERT_FALSE(code.empty());
  EXPECT_EQ(
      between(read(tests.parent_path() / "harness/bench/README.md"), "the claims about them:\n\n```cpp\n", "```\n"),
      code);
}

}  // namespace
