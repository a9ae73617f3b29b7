// SPDX-License-Identifier: Apache-2.0
// What all formats have in common: recognised by their content, each by one recogniser; runs that can be stored; nothing
// breaks on what is cut off.
#include "harness/import/formats.hpp"

#include <algorithm>
#include <set>

#include "harness/import/import.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;
using testing::fixture_path;
using testing::fixture_text;

// File and the name of its format.
const std::vector<std::pair<std::string, std::string>> known_files{
    {"google_benchmark_1.7.1.json", "Google Benchmark JSON"},
    {"googlecpp_output.json", "Google Benchmark JSON"},
    {"aggregates_only.json", "Google Benchmark JSON"},
    {"google-benchmark/test2_run.json", "Google Benchmark JSON"},
    {"google-benchmark/repetitions_1.7.1.csv", "Google Benchmark CSV"},
    {"nvbench/excerpt_ref.json", "NVBench JSON"},
    {"pytest_output.json", "pytest-benchmark JSON"},
    {"pytest-benchmark/saved_1.json", "pytest-benchmark JSON"},
    {"pytest-benchmark/save_data_5.3.1.json", "pytest-benchmark JSON"},
    {"pyperf/mult_list_py36.json", "pyperf JSON"},
    {"pyperf/two_benchmarks_2.10.0.json", "pyperf JSON"},
    {"pyperf/tracemalloc_2.10.0.json", "pyperf JSON"},
    {"hyperfine/hyperfine_1.15.json", "hyperfine JSON"},
    {"hyperfine/hyperfine_failing.json", "hyperfine JSON"},
    {"catch2/catch2_2.13.10.xml", "Catch2 XML"},
    {"catch2/console_2.13.10.txt", "Catch2 console output"},
    {"catch2/no_analysis_2.13.10.txt", "Catch2 console output"},
    {"action/catch2_output_v3.txt", "Catch2 console output"},
    {"criterion/sum/fast/new/sample.json", "Criterion JSON or folder"},
    {"criterion/sum/fast/new/estimates.json", "Criterion JSON or folder"},
    {"criterion/sum/fast/new/benchmark.json", "Criterion JSON or folder"},
    {"action/data.js", "github-action-benchmark data"},
    {"action/data.json", "github-action-benchmark data"},
    {"action/custom.json", "github-action-benchmark data"},
    {"benchstat/old.txt", "Go benchmark text"},
    {"benchstat/units.txt", "Go benchmark text"},
    {"go/go_test.txt", "Go benchmark text"},
    {"go/go_test.json", "Go benchmark text"},
    {"action/go_output.txt", "Go benchmark text"},
};

TEST(Formats, EachFileIsRecognisedByOneOfThem) {
  std::set<std::string_view> seen;
  for (const auto& [file, name] : known_files) {
    const std::string head = fixture_text(file).substr(0, head_bytes);
    for (const Format& format : formats()) {
      EXPECT_EQ(format.recognises(head), format.name == name) << file << " as " << format.name;
      if (format.name == name) seen.insert(format.name);
    }
  }
  EXPECT_EQ(seen.size(), formats().size()) << "a format without a file";
}

// Of benchstat/units.txt nothing is, as its values are not the exact ones that it declares.
bool measured(const record::Run& run) {
  return std::any_of(run.processes.begin(), run.processes.end(), [](const record::Process& process) {
    return std::any_of(process.cases.begin(), process.cases.end(),
                       [](const record::CaseResult& each) { return !each.measurements.empty(); });
  });
}

TEST(Formats, EachFileMakesARunThatCanBeStored) {
  const base::testing::TemporaryFolder folder;
  for (const auto& [file, name] : known_files) {
    auto run = import_run({fixture_path(file)}, "1");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_TRUE(record::save_run(*run, folder / "run.json", true)) << file;
    auto again = record::load_run(folder / "run.json");
    ASSERT_TRUE(again) << file << ": " << again.error().message;
    ASSERT_TRUE(!again->samples || record::load_samples(*again, folder / "run.json"));
    for (record::Process& process : run->processes) process.file.clear();  // a record does not have it
    EXPECT_EQ(*again, *run) << file;
    EXPECT_NE(bool(import_run({fixture_path(file), fixture_path(file)}, "1")), measured(*run))
        << file << " is one measurement, not two";
  }
  EXPECT_TRUE(is_importable(fixture_path("criterion")));
  EXPECT_TRUE(import_run({fixture_path("criterion")}, "1"));
}

// Cut anywhere, a file is an error with its name in it, or a smaller run; never a crash.
TEST(Formats, AFileThatIsCutOffIsAnErrorOrASmallerRun) {
  const base::testing::TemporaryFolder folder;
  for (const auto& [file, name] : known_files) {
    const std::string text = fixture_text(file);
    constexpr std::size_t cuts = 40;
    for (std::size_t i = 1; i < cuts; ++i) {
      const fs::path cut = folder / "cut";
      std::ofstream(cut, std::ios::binary) << text.substr(0, text.size() * i / cuts);
      const auto run = import_run({cut}, "1");
      EXPECT_TRUE(run || run.error().message.find("cut") != std::string::npos) << run.error().message;
    }
  }
}

TEST(Formats, TooDeepOrTooLongIsRefusedWithItsPlace) {
  const base::testing::TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    std::ofstream(folder / "bad.json", std::ios::binary) << text;
    const auto run = import_run({folder / "bad.json"}, "1");
    return run ? "none" : run.error().message;
  };
  const std::string deep(200, '[');
  const std::string ends(200, ']');
  EXPECT_NE(error(R"({"results":[{"command":"x","times":[1],"more":)" + deep + ends + "}]}").find("/results/0/more"),
            std::string::npos);
  const std::string long_name(10'000, 'x');
  EXPECT_NE(error(R"({"results":[{"command":")" + long_name + R"(","times":[1]}]})").find("/results/0/command"),
            std::string::npos);
  EXPECT_NE(error(R"({"machine_info":{},"benchmarks":[{"stats":{},"fullname":")" + long_name + "\"}]}")
                .find("/benchmarks/0/fullname"),
            std::string::npos);
}

TEST(Formats, RefusesFilesOfDifferentToolsAsOneRun) {
  const auto run = import_run({fixture_path("benchstat/old.txt"), fixture_path("pyperf/mult_list_py36.json")}, "1");
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("import files of different tools as separate runs"), std::string::npos);
}

TEST(Formats, ARunOfSingleValuesSaysSo) {
  const auto warns = [](const std::vector<std::string>& files) {
    std::vector<fs::path> paths;
    for (const std::string& file : files) paths.push_back(fixture_path(file));
    const auto run = import_run(paths, "1");
    return run && std::any_of(run->warnings.begin(), run->warnings.end(), [](const std::string& warning) {
             return warning.find("each case has one value only, without repetitions") != std::string::npos;
           });
  };
  EXPECT_TRUE(warns({"test1_run1.json"}));
  EXPECT_TRUE(warns({"action/go_output.txt"}));
  EXPECT_FALSE(warns({"benchstat/old.txt"}));
  EXPECT_FALSE(warns({"hyperfine/hyperfine_1.15.json"})) << "one value each, of twelve processes";
  EXPECT_FALSE(warns({"nvbench/excerpt_ref.json"})) << "its own sentence says it";
  EXPECT_FALSE(warns({"test1_run1.json", "test1_run2.json"}));
}

// The first command has times, so its process lacks nothing.
TEST(Formats, ACommandOfHyperfineWithoutTimesIsSaidOnceWhereverItStands) {
  const base::testing::TemporaryFolder folder;
  const fs::path file = folder / "h.json";
  std::ofstream(file)
      << R"({"results":[{"command":"x","times":[1,2]},{"command":"y","median":3},{"command":"z","median":4}]})";
  const auto run = import_run({file}, "1");
  ASSERT_TRUE(run) << run.error().message;
  const auto saying = std::count_if(run->warnings.begin(), run->warnings.end(), [](const std::string& warning) {
    return warning.find("no times of the launches") != std::string::npos;
  });
  EXPECT_EQ(saying, 1);
}

}  // namespace
}  // namespace torchgate::import
