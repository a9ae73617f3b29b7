// SPDX-License-Identifier: Apache-2.0
// Files of other tools from the command line to the verdict: the effects that those tools publish themselves, and what
// becomes of benchmarks that failed or are gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::string foreign(const std::string& name) {
  return std::string(TORCHGATE_TESTS_DIR) + "/fixtures/import/" + name;
}

std::string replaced(std::string text, const std::string& part, const std::string& with) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  if (at != std::string::npos) text.replace(at, part.size(), with);
  return text;
}

class ForeignFiles : public ::testing::Test {
 protected:
  // The JSON report of a comparison that ended with this exit code.
  nlohmann::json compared(const std::string& before, const std::string& after, int code, const Arguments& more = {}) {
    Arguments arguments{"compare", before, after, "--quiet", "--json", "report.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = folder_.torchgate(arguments);
    EXPECT_EQ(ran.code, code) << ran.out << ran.err;
    return ran.code == code ? nlohmann::json::parse(read_text("report.json")) : nlohmann::json();
  }

  // Of the times: by case.
  static std::map<std::string, double> changes(const nlohmann::json& report) {
    std::map<std::string, double> by_case;
    for (const auto& finding : report["findings"])
      if (finding["metric"]["primary"] && finding["change"].is_number()) by_case[finding["case"]] = finding["change"];
    return by_case;
  }

  static std::map<std::string, std::string> verdicts(const nlohmann::json& report) {
    std::map<std::string, std::string> by_case;
    for (const auto& finding : report["findings"]) by_case[finding["case"]] = finding["verdict"];
    return by_case;
  }

  ProgramFolder folder_;
};

// google/benchmark tools/gbench/report.py, its tests: deltas of test1 and the geometric mean of all.
TEST_F(ForeignFiles, ComparePyExampleHasItsDeltas) {
  const auto report = compared(foreign("test1_run1.json"), foreign("test1_run2.json"), 3);
  const auto found = changes(report);
  const std::map<std::string, double> published{{"BM_SameTimes", 0.0},       {"BM_2xFaster", -0.5},
                                                {"BM_2xSlower", 1.0},        {"BM_1PercentFaster", -0.01},
                                                {"BM_1PercentSlower", 0.01}, {"BM_10PercentFaster", -0.1},
                                                {"BM_10PercentSlower", 0.1}, {"BM_100xSlower", 99.0},
                                                {"BM_100xFaster", -0.99},    {"BM_10PercentCPUToTime", 0.1},
                                                {"BM_ThirdFaster", -0.3333}, {"BM_NotBadTimeUnit", -0.9},
                                                {"BM_hasLabel", 0.0}};
  for (const auto& [name, delta] : published) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_NEAR(found.at(name), delta, 1e-4) << name;
  }
  double logs = 0;
  for (const auto& [name, change] : found) logs += std::log1p(change);
  EXPECT_NEAR(std::expm1(logs / static_cast<double>(found.size())), -0.8112976, 1e-7);
  // One repetition per side gives no verdict, and the report says why.
  for (const auto& [name, verdict] : verdicts(report)) EXPECT_EQ(verdict, "inconclusive") << name;
  EXPECT_TRUE(has(report["doubts"].dump(), "each case has one value only, without repetitions"));
}

// cmd/benchstat/testdata/csvOldNew.stdout: medians 1.718e-06 and 1.4225e-06 (-17.20 %), 3.0655e-06 and 3.07e-06 (~, p=0.446).
// Ours is the median of a process's samples, too. `--rule textbook` compares means, which is why it says -17.5 %: one of
// benchstat's ten samples is 3 % off.
TEST_F(ForeignFiles, BenchstatExampleHasItsDelta) {
  const std::string json = "golang.org/x/perf/cmd/benchstat/testdata.Encode/format=json-48";
  const std::string gob = "golang.org/x/perf/cmd/benchstat/testdata.Encode/format=gob-48";
  const auto one_process = compared(foreign("benchstat/old.txt"), foreign("benchstat/new.txt"), 3);
  EXPECT_NEAR(changes(one_process).at(json), 1.4225 / 1.718 - 1, 1e-12);
  EXPECT_NEAR(changes(one_process).at(gob), 3.07 / 3.0655 - 1, 1e-12);
  EXPECT_TRUE(has(one_process["headline"], "1 process per side: no between-process variance"));
  const auto textbook = compared(foreign("benchstat/old.txt"), foreign("benchstat/new.txt"), 0, {"--rule", "textbook"});
  EXPECT_EQ(verdicts(textbook).at(json), "improved");
  EXPECT_EQ(verdicts(textbook).at(gob), "inconclusive");
}

// `pyperf compare_to mult_list_py36.json mult_list_py37.json`: 1.02x faster, 1.42x slower, 1.31x slower.
TEST_F(ForeignFiles, PyperfExampleHasItsRatios) {
  const std::string before = foreign("pyperf/mult_list_py36.json");
  const std::string after = foreign("pyperf/mult_list_py37.json");
  const auto means = compared(before, after, 1, {"--rule", "textbook"});
  EXPECT_NEAR(1 / (1 + changes(means).at("[1]*1000")), 1.02, 0.005);
  EXPECT_NEAR(1 + changes(means).at("[1,2]*1000"), 1.42, 0.005);
  EXPECT_NEAR(1 + changes(means).at("[1,2,3]*1000"), 1.31, 0.005);
  EXPECT_EQ(verdicts(means).at("[1,2]*1000"), "regressed");
  // The twenty processes of each side are enough for the default rule; nothing of a file can be confirmed.
  const auto screened = compared(before, after, 1);
  EXPECT_EQ(verdicts(screened),
            (std::map<std::string, std::string>{
                {"[1]*1000", "equivalent"}, {"[1,2]*1000", "suspected"}, {"[1,2,3]*1000", "suspected"}}));
}

// Both sides are of one commit on one machine.
TEST_F(ForeignFiles, NvbenchsUnchangedExampleHasNoChange) {
  for (const Arguments& rule : {Arguments{}, Arguments{"--rule", "textbook"}, Arguments{"--rule", "welch"}}) {
    const auto report = compared(foreign("nvbench/excerpt_ref.json"), foreign("nvbench/excerpt_cmp.json"), 3, rule);
    EXPECT_EQ(verdicts(report).size(), 18U);
    for (const auto& [name, verdict] : verdicts(report)) EXPECT_EQ(verdict, "inconclusive") << name;
    for (const auto& [name, change] : changes(report)) EXPECT_LT(std::abs(change), 0.05) << name;
    EXPECT_TRUE(has(report["doubts"].dump(), "only the mean of each state"));
    EXPECT_TRUE(has(report["findings"][0]["reasons"].dump(), "baseline: the file has only the mean of its samples"));
  }
}

TEST_F(ForeignFiles, SavedRunsOfPytestSayWhatTheyLack) {
  const auto report = compared(foreign("pytest-benchmark/saved_1.json"), foreign("pytest-benchmark/saved_3.json"), 3,
                               {"--rule", "textbook"});
  // "median" of the two files
  EXPECT_NEAR(changes(report).begin()->second, 2.1855036417643228e-07 / 2.2016643907464864e-07 - 1, 1e-9);
  EXPECT_TRUE(has(report["doubts"].dump(), "--benchmark-save-data"));
}

TEST_F(ForeignFiles, FoldersOfCriterionAreCompared) {
  fs::copy(foreign("criterion"), "after", fs::copy_options::recursive);
  fs::permissions("after/sum/slow/new/estimates.json", fs::perms::owner_write, fs::perm_options::add);
  const std::string estimates = "after/sum/slow/new/estimates.json";
  write_text(estimates, replaced(read_text(estimates), "\"point_estimate\":200.0", "\"point_estimate\":400.0"));
  const auto report = compared(foreign("criterion"), "after", 3);
  EXPECT_NEAR(changes(report).at("sum/slow"), 1, 1e-9);
  EXPECT_NEAR(changes(report).at("sum/fast/1000"), 0, 1e-9);
  EXPECT_EQ(folder_.torchgate({"import", "after", "--save", "criterion"}).code, 0);
}

TEST_F(ForeignFiles, TheGateTakesThemOnBothSides) {
  const std::string before = foreign("pyperf/mult_list_py36.json");
  const std::string after = foreign("pyperf/mult_list_py37.json");
  const Ran slower = folder_.torchgate({"gate", after, "--against", before});
  EXPECT_EQ(slower.code, 1) << slower.out << slower.err;
  EXPECT_TRUE(has(slower.out, "imported runs cannot be measured again in pairs"));
  const std::string saved = foreign("pytest-benchmark/saved_");
  const Ran pooled = folder_.torchgate(
      {"gate", saved + "3.json," + saved + "4.json", "--against", saved + "1.json," + saved + "2.json"});
  EXPECT_EQ(pooled.code, 0) << pooled.out << pooled.err;
  EXPECT_TRUE(has(pooled.out, "1 case within ±5 %"));
}

TEST_F(ForeignFiles, AnUnknownFormatNamesTheKnownOnes) {
  write_text("odd.txt", "hello\n");
  for (const char* const command : {"compare", "import"}) {
    const Ran ran = folder_.torchgate({command, "odd.txt", "odd.txt"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, "odd.txt: unknown format; supported: Google Benchmark JSON"));
    EXPECT_TRUE(has(ran.err, "Go benchmark text"));
  }
}

// One benchmark of a file of Google Benchmark: its place in the program, and the middle of its four repetitions.
struct Family {
  std::string name;
  int family = 0;
  double time = 1;
};

std::string google_benchmark_json(const std::string& program, int day, const std::vector<Family>& families) {
  nlohmann::json file;
  file["context"] = {
      {"num_cpus", 2}, {"executable", program}, {"date", "2026-05-0" + std::to_string(day) + "T10:00:00+00:00"}};
  file["benchmarks"] = nlohmann::json::array();
  for (const Family& each : families) {
    for (int repetition = 0; repetition < 4; ++repetition) {
      const double noise = 1 + 0.002 * ((repetition * 7 + day * 3 + each.family) % 5 - 2);
      file["benchmarks"].push_back({{"name", each.name},
                                    {"run_name", each.name},
                                    {"run_type", "iteration"},
                                    {"family_index", each.family},
                                    {"per_family_instance_index", 0},
                                    {"repetition_index", repetition},
                                    {"iterations", 100},
                                    {"real_time", each.time * noise},
                                    {"cpu_time", each.time},
                                    {"time_unit", "ns"}});
    }
  }
  return file.dump();
}

// Six files of a program, each with the same benchmarks; the names of the files.
std::string six_files(const std::string& name, const std::string& program, const std::vector<Family>& families) {
  std::string files;
  for (int i = 1; i <= 6; ++i) {
    const std::string file = name + std::to_string(i) + ".json";
    write_text(file, google_benchmark_json(program, i, families));
    files += (files.empty() ? "" : ",") + file;
  }
  return files;
}

TEST_F(ForeignFiles, FamiliesOfOneNameAreJudgedApart) {
  const auto before = six_files("b", "./bench", {{"assign", 0, 217e3}, {"assign", 3, 52}, {"other", 4, 9}});
  const auto after =
      six_files("a", "./bench", {{"other", 0, 9}, {"assign", 1, 217.5e3}, {"assign", 2, 104}});  // no copies
  const auto report = compared(before, after, 1);
  EXPECT_EQ(verdicts(report).at("assign#2"), "suspected");
  EXPECT_EQ(verdicts(report).at("assign"), "equivalent");
  EXPECT_NEAR(changes(report).at("assign#2"), 1, 0.05);
}

TEST_F(ForeignFiles, OneOfSeveralOfOneNameIsGone) {
  const auto before = six_files("b", "./bench", {{"assign", 0, 50}, {"assign", 1, 60}, {"assign", 2, 70}});
  const auto after = six_files("a", "./bench", {{"assign", 0, 50}, {"assign", 1, 70}});
  for (const Arguments& rule : {Arguments{}, Arguments{"--rule", "textbook"}}) {
    const auto report = compared(before, after, 1, rule);
    EXPECT_EQ(verdicts(report).at("assign#3"), "missing");
    EXPECT_EQ(verdicts(report).at("assign"), "not_comparable");
    EXPECT_EQ(verdicts(report).at("assign#2"), "not_comparable");
  }
}

TEST_F(ForeignFiles, ProgramsOfOneNameAreJudgedApart) {
  const auto before = six_files("bs", "./string", {{"swap", 0, 50}}) + ',' +
                      six_files("bv", "./vector", {{"swap", 0, 1e4}, {"push", 1, 3}});
  const auto after = six_files("as", "new/string", {{"swap", 0, 50.01}}) + ',' +
                     six_files("av", "new/vector", {{"swap", 0, 2e4}, {"push", 1, 3.001}});
  const auto report = compared(before, after, 1);
  EXPECT_EQ(verdicts(report).at("vector/swap"), "suspected");
  EXPECT_EQ(verdicts(report).at("string/swap"), "equivalent");
  EXPECT_EQ(verdicts(report).at("push"), "equivalent");
  // Without one of the programs its benchmarks are missing, and the others are found again.
  const auto part = compared(before, "av1.json,av2.json,av3.json,av4.json", 1);
  EXPECT_EQ(verdicts(part).at("vector/swap"), "suspected");
  EXPECT_EQ(verdicts(part).at("string/swap"), "missing");
}

TEST_F(ForeignFiles, ProgramsAreNotSharesOfOneGroup) {
  const auto before =
      six_files("bs", "./string", {{"find", 0, 50}}) + ',' + six_files("bv", "./vector", {{"push", 1, 3}});
  six_files("av", "./vector", {{"push", 1, 3.001}});
  const auto after = six_files("as", "./string", {{"find", 0, 50.01}}) + ",av1.json,av2.json,av3.json";
  const auto report = compared(before, after, 0);
  EXPECT_EQ(verdicts(report).at("push"), "equivalent");
}

TEST_F(ForeignFiles, WhatCannotBeToldApartHasNoVerdict) {
  const std::string heading =
      "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_"
      "message\n";
  const auto rows = [](const std::string& name, double time) {
    std::string text;
    for (int i = 0; i < 10; ++i) text += fmt::format("\"{}\",100,{},{},ns,,,,,\n", name, time * (1 + 0.001 * i), time);
    return text;
  };
  write_text("before.csv", heading + rows("y", 3) + rows("x", 200) + rows("x", 50));
  write_text("after.csv", heading + rows("y", 3) + rows("x", 200) + rows("x", 100));
  const auto report = compared("before.csv", "after.csv", 1, {"--rule", "textbook"});
  EXPECT_EQ(verdicts(report).at("x"), "not_comparable");
  EXPECT_NE(report.dump().find("benchmarks of this name cannot be told apart"), std::string::npos);
  EXPECT_EQ(report.dump().find("+25"), std::string::npos);
}

TEST_F(ForeignFiles, AFolderIsAnsweredWithItsFiles) {
  std::filesystem::create_directories("results");
  write_text("results/a.json", google_benchmark_json("./bench", 1, {{"x", 0, 5}}));
  const Ran ran = folder_.torchgate({"compare", "results", "results"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err,
                  "results: a folder without results of Criterion; name its files, separated by commas: \"$(ls "
                  "results/*.json | paste -sd,)\""));
}

// A file, what is replaced in it so that a benchmark fails (or is skipped), and the verdict on that benchmark.
struct Broken {
  std::string file;
  std::string part;
  std::string with;
  std::string case_name;
  std::string verdict = "failed";
};

class BrokenBenchmarks : public ForeignFiles, public ::testing::WithParamInterface<Broken> {};

TEST_P(BrokenBenchmarks, AreReportedAndAreNotASpeedUp) {
  const Broken& broken = GetParam();
  write_text("after", replaced(read_text(foreign(broken.file)), broken.part, broken.with));
  for (const Arguments& rule : {Arguments{}, Arguments{"--rule", "textbook"}}) {
    const auto report = compared(foreign(broken.file), "after", 1, rule);
    ASSERT_TRUE(verdicts(report).contains(broken.case_name)) << report["findings"].dump(1);
    EXPECT_EQ(verdicts(report).at(broken.case_name), broken.verdict);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Failed, BrokenBenchmarks,
    ::testing::Values(
        Broken{"test1_run1.json", R"("name": "BM_2xFaster",)", R"("name": "BM_2xFaster", "error_occurred": true,)",
               "BM_2xFaster"},
        Broken{"test1_run1.json", R"("name": "BM_2xFaster",)", R"("name": "BM_other",)", "BM_2xFaster", "missing"},
        Broken{"google-benchmark/repetitions_1.7.1.csv", "\"sum/n:1000\",3176,0.466642,0.463604,us",
               "\"sum/n:1000\",3176,nan,0.4,us", "sum/n:1000"},
        Broken{"nvbench/excerpt_ref.json", R"("is_skipped": false)", R"("is_skipped": true, "skip_reason": "boom")",
               "simple/Device=0", "missing"},
        Broken{"nvbench/excerpt_ref.json", R"("nv/cold/time/gpu/mean")", R"("none")", "simple/Device=0"},
        Broken{"pyperf/mult_list_py36.json", "2.087224121094522e-06", "Infinity", "[1]*1000"},
        Broken{"pyperf/mult_list_py36.json", R"("name":"[1]*1000")", R"("name":"[2]*1000")", "[1]*1000", "missing"},
        Broken{"pytest-benchmark/saved_1.json", R"("median": 2.2016643907464864e-07)", R"("median": NaN)",
               "tests/test_normal.py::test_xfast_parametrized[0]"},
        Broken{"pytest-benchmark/saved_1.json", R"(test_xfast_parametrized[0]",)", R"(test_renamed",)",
               "tests/test_normal.py::test_xfast_parametrized[0]", "missing"},
        Broken{"hyperfine/hyperfine_1.15.json", "        0,", "        1,", "true 1"},
        Broken{"hyperfine/hyperfine_1.15.json", R"("command": "true 2")", R"("command": "true 3")", "true 2",
               "missing"},
        Broken{"catch2/catch2_2.13.10.xml",
               R"(<mean value="9.32547" lowerBound="9.30446" upperBound="9.37714" ci="0.95"/>)",
               R"(<failed message="boom"/>)", "sums: of several lengths/ten"},
        Broken{"catch2/console_2.13.10.txt", "ten      ", "eleven   ", "sums: of several lengths/ten", "missing"},
        Broken{"action/data.json", R"("value": 250)", R"("value": null)", "Go/BenchmarkSum"},
        Broken{"action/data.json", R"("name": "BM_sum")", R"("name": "BM_other")", "C++/BM_sum", "missing"},
        Broken{"benchstat/old.txt", "397812\t      3062 ns/op",
               "--- FAIL: BenchmarkEncode/format=gob-48\n    x_test.go:1: no table",
               "golang.org/x/perf/cmd/benchstat/testdata.Encode/format=gob-48"},
        Broken{"go/go_test.txt", "BenchmarkAlloc-2              \t   10000\t      1157 ns/op",
               "BenchmarkAlloc-2   \tpanic: boom\n", "example.org/sums.Alloc-2"}));

}  // namespace
}  // namespace torchgate::cli::testing
