// SPDX-License-Identifier: Apache-2.0
// A suite of several ranks, started by a shell script with the environment that torchrun or srun would give it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/bench/ranks/rank_threads.hpp"

namespace torchgate {
namespace {

namespace fs = std::filesystem;
using record::CaseResult;
using record::CaseStatus;

class RanksSuite : public testing::Test {
 protected:
  [[nodiscard]] std::string text_of(const std::string& file) const {
    std::ifstream in(folder / file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }

  /// Starts two ranks, each with VARIABLES ("$rank" is its number) and FLAGS; what rank N prints is in the file "N". The
  /// exit code of rank 0.
  int start_two(const std::string& variables, const std::string& flags) {
    const std::string script =
        "cd " + folder.string() +
        "; for rank in 1 0; do env MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(bench::testing::free_port()) +
        " " + variables + " " + TORCHGATE_RANKS_SUITE + " --torchgate_profile=quick " + flags +
        " >$rank 2>&1 & done; wait $!; code=$?; wait; exit $code";
    // NOLINTNEXTLINE(cert-env33-c): the command is made of this file's own constants
    return WEXITSTATUS(std::system(("/bin/sh -c '" + script + "'").c_str()));
  }

  [[nodiscard]] std::map<std::string, CaseResult> results(const std::string& file) const {
    const auto report = record::process_report_from_json(text_of(file), file);
    if (!report) throw std::runtime_error(report.error().message);
    std::map<std::string, CaseResult> all;
    for (const CaseResult& result : report->results) all[result.name] = result;
    return all;
  }

  const std::string by_torchrun = "RANK=$rank WORLD_SIZE=2 LOCAL_RANK=$rank";
  const base::testing::TemporaryFolder scratch;
  const fs::path folder = scratch.path();
};

double median_of(const CaseResult& result, const std::string& metric) {
  const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                  [&](const auto& m) { return m.metric == metric; });
  if (found == result.measurements.end() || !found->summary) throw std::runtime_error("no " + metric);
  return found->summary->median;
}

TEST_F(RanksSuite, MeasuresTogetherUnderTorchrun) {
  ASSERT_EQ(start_two(by_torchrun, "--torchgate_group=ranks/well --torchgate_out=$rank.json"), 0) << text_of("0");
  EXPECT_FALSE(fs::exists(folder / "1.json")) << "only rank 0 reports";
  EXPECT_EQ(text_of("1"), "");
  auto all = results("0.json");
  const CaseResult& uneven = all.at("ranks/well/uneven");
  ASSERT_EQ(uneven.status, CaseStatus::ok) << uneven.message;
  // The second rank sleeps 3 ms, the first 1 ms: sleeping takes at least that long.
  EXPECT_GE(median_of(uneven, "time"), 3e6);
  EXPECT_GT(median_of(uneven, "rank_spread"), 0);
  EXPECT_LE(median_of(uneven, "rank_spread"), median_of(uneven, "time"));
}

TEST_F(RanksSuite, MeasuresTogetherUnderSrun) {
  ASSERT_EQ(
      start_two("SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=2", "--torchgate_group=ranks/well --torchgate_out=$rank.json"),
      0)
      << text_of("0");
  EXPECT_EQ(results("0.json").at("ranks/well/even").status, CaseStatus::ok);
}

TEST_F(RanksSuite, ReportsErrorsOfAnyRankAndContinues) {
  ASSERT_EQ(start_two(by_torchrun, "--torchgate_group=ranks/badly --torchgate_out=$rank.json"), 0) << text_of("0");
  auto all = results("0.json");
  EXPECT_EQ(all.at("ranks/badly/wrong").status, CaseStatus::wrong);
  EXPECT_NE(all.at("ranks/badly/wrong").message.text().find("differs between rank 0 and rank 1"), std::string::npos)
      << all.at("ranks/badly/wrong").message;
  EXPECT_EQ(all.at("ranks/badly/throws").status, CaseStatus::failed);
  EXPECT_EQ(all.at("ranks/badly/throws").message, "rank 1: the second has had enough");
  EXPECT_EQ(all.at("ranks/badly/even").status, CaseStatus::ok);
  EXPECT_EQ(all.at("ranks/badly/goes_on").status, CaseStatus::ok);
}

TEST_F(RanksSuite, SaysThatItLostARank) {
  EXPECT_EQ(start_two(by_torchrun, "--torchgate_group=ranks/crash --torchgate_out=$rank.json"), 3);
  EXPECT_NE(text_of("0").find("rank 1 is lost"), std::string::npos) << text_of("0");
  EXPECT_FALSE(fs::exists(folder / "0.json"));
}

TEST_F(RanksSuite, IsAGoogleBenchmarkProgramThatRankZeroPrints) {
  EXPECT_EQ(start_two(by_torchrun, "--benchmark_filter=ranks/well --benchmark_out=$rank.json"), 0) << text_of("0");
  EXPECT_NE(text_of("0").find("ranks/well/uneven"), std::string::npos) << text_of("0");
  EXPECT_EQ(text_of("1").find("ranks/well/uneven"), std::string::npos) << text_of("1");
  EXPECT_TRUE(fs::exists(folder / "0.json"));
  EXPECT_FALSE(fs::exists(folder / "1.json"));
}

TEST_F(RanksSuite, SkipsCasesForAnotherNumberOfRanks) {
  const std::string alone = "cd " + folder.string() + " && " + TORCHGATE_RANKS_SUITE +
                            " --torchgate_group=ranks/well --torchgate_out=alone.json";
  ASSERT_EQ(std::system(alone.c_str()), 0);  // NOLINT(cert-env33-c)
  auto all = results("alone.json");
  EXPECT_EQ(all.at("ranks/well/even").status, CaseStatus::skipped);
  EXPECT_EQ(
      all.at("ranks/well/even").message,
      "its cases need 2 processes, but this job has 1; start them with `torchgate run`, or with that many ranks by "
      "torchrun or srun");
}

// An ordinary group is measured by each process for itself, also in a job of several.
TEST_F(RanksSuite, DoesNotJoinForAnOrdinaryGroup) {
  ASSERT_EQ(start_two(by_torchrun, "--torchgate_group=ranks/alone --torchgate_out=$rank.json"), 0) << text_of("0");
  EXPECT_EQ(results("0.json").at("ranks/alone/alone").status, CaseStatus::ok);
  EXPECT_EQ(results("1.json").at("ranks/alone/alone").status, CaseStatus::ok);
}

}  // namespace
}  // namespace torchgate
