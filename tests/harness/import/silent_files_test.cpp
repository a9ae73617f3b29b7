// SPDX-License-Identifier: Apache-2.0
// A command, a benchmark or a package that some files of a run lack.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "harness/import/import.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;

// Processes of a group, and how many of them have no case.
struct Counts {
  int all = 0;
  int silent = 0;

  bool operator==(const Counts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.silent << " of " << counts.all;
}

class SilentFiles : public ::testing::Test {
 protected:
  // Each text is a file.
  std::map<std::string, Counts> counts_of(const std::vector<std::string>& texts) {
    std::vector<fs::path> files;
    for (const std::string& text : texts) {
      files.push_back(folder_ / std::to_string(files.size()));
      std::ofstream(files.back()) << text;
    }
    auto run = import_run(files, "0");
    EXPECT_TRUE(run) << run.error().message;
    std::map<std::string, Counts> counts;
    if (!run) return counts;
    EXPECT_TRUE(record::save_run(*run, folder_ / "run", true));
    EXPECT_TRUE(record::load_run(folder_ / "run"));
    for (const record::Process& process : run->processes) {
      ++counts[process.group].all;
      counts[process.group].silent += process.cases.empty() ? 1 : 0;
    }
    return counts;
  }

  base::testing::TemporaryFolder folder_;
};

using Groups = std::map<std::string, Counts>;

std::string command(const std::string& name, const std::string& times) {
  return R"({"command":")" + name + R"(","times":[)" + times + "]}";
}

std::string hyperfine(const std::string& commands) {
  return R"({"results":[)" + commands + "]}";
}

TEST_F(SilentFiles, ACommandThatAFileLacksHasAsManyLaunchesAsElsewhere) {
  EXPECT_EQ(counts_of({hyperfine(command("foo", "1,2,3") + "," + command("bar", "4,5")),
                       hyperfine(command("foo", "1,2,4") + "," + command("bar", "4,6,7,8")),
                       hyperfine(command("foo", "1,2,5"))}),
            (Groups{{"foo", {9, 0}}, {"bar", {9, 3}}}));
}

TEST_F(SilentFiles, FilesWithoutACommonCommandStayAsTheyAre) {
  EXPECT_EQ(
      counts_of({hyperfine(command("foo", "1,2")), hyperfine(command("bar", "3")), hyperfine(command("bar", "4"))}),
      (Groups{{"foo", {2, 0}}, {"bar", {2, 0}}}));
  EXPECT_EQ(counts_of({hyperfine(command("foo", "1,2") + "," + command("bar", "3"))}),
            (Groups{{"foo", {2, 0}}, {"bar", {1, 0}}}))
      << "one file";
}

TEST_F(SilentFiles, ABenchmarkOfPyperf) {
  const auto benchmark = [](const std::string& name, const std::string& value) {
    return R"({"metadata":{"name":")" + name + R"("},"runs":[{"values":[)" + value + "]},{\"values\":[" + value +
           "5]}]}";
  };
  const auto of = [](const std::string& benchmarks) {
    return R"({"version":"1.0","benchmarks":[)" + benchmarks + "]}";
  };
  EXPECT_EQ(counts_of({of(benchmark("foo", "0.1") + "," + benchmark("bar", "0.2")), of(benchmark("foo", "0.3"))}),
            (Groups{{"foo", {4, 0}}, {"bar", {4, 2}}}));
}

TEST_F(SilentFiles, APackageOfGo) {
  const std::string p = "pkg: p\nBenchmarkA-8 10 5 ns/op\nPASS\n";
  const std::string other = "pkg: p\nBenchmarkA-8 10 6 ns/op\nPASS\n";
  EXPECT_EQ(counts_of({p + "pkg: q\nBenchmarkA-8 10 7 ns/op\nPASS\n", other + "FAIL\tq [build failed]\n"}),
            (Groups{{"p", {2, 0}}, {"q", {2, 1}}}));
}

}  // namespace
}  // namespace torchgate::import
