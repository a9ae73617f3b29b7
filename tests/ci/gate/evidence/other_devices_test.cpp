// SPDX-License-Identifier: Apache-2.0
// Stored runs of one host key and several GPUs: the times of CUDA cases are compared with those of the same GPU only.
#include <gtest/gtest.h>

#include "ci/gate/evidence/stored_pool.hpp"
#include "tests/ci/gate/evidence/stored_runs.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::Outcome;
using reports::Verdict;

constexpr const char* on_cpu = "g/one/cpu";
constexpr const char* on_gpu = "g/one/gpu";

record::Run run_on(const std::string& id, const char* device_key, double ns) {
  record::Run run = empty_run(id);
  run.sides[0].source.commit = std::string(40, id.front());
  run.machine.device_key = device_key;
  add_case(run, on_cpu, around(1e5, quiet));
  add_case(run, on_gpu, around(ns, quiet));
  run.cases.back().device = "cuda";
  return run;
}

TEST(OtherDevices, AnOlderRunOfOneIsNotPooled) {
  StoredRuns runs{run_on("aaaa", "t4", 5e5), run_on("bbbb", "h200", 1e5), run_on("cccc", "h200", 1.3e5)};
  const auto report = runs.judge();
  EXPECT_EQ(report.outcome, Outcome::fail) << "five times as long on the t4 is not noise";
  EXPECT_EQ(finding(report, on_gpu).verdict, Verdict::suspected);
  EXPECT_NEAR(finding(report, on_gpu).change.value(), 0.3, 0.01);
  EXPECT_EQ(finding(report, on_cpu).verdict, Verdict::equivalent);
  EXPECT_TRUE(
      mentions(report.doubts,
               "1 stored run excluded from the baseline of CUDA cases (run aaaa: the devices differ: t4 and h200)"));
}

TEST(OtherDevices, AnOlderRunOfTheSameOneStandsForTheNearest) {
  StoredRuns runs{run_on("aaaa", "h200", 1e5), run_on("bbbb", "t4", 2e5), run_on("cccc", "h200", 2e5)};
  const auto report = runs.judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, on_gpu).verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(finding(report, on_gpu).reasons, "measured it on another machine: the devices differ"));
  EXPECT_EQ(finding(report, on_cpu).verdict, Verdict::equivalent) << "of the nearest run";
}

TEST(OtherDevices, WithoutOneOfTheSameTheTimesAreLeftToPairs) {
  StoredRuns runs{run_on("aaaa", "t4", 2e5), run_on("bbbb", "t4", 2e5), run_on("cccc", "h200", 2e5)};
  const auto alone = runs.judge();
  EXPECT_EQ(finding(alone, on_gpu).verdict, Verdict::inconclusive);
  EXPECT_TRUE(
      mentions(std::vector<std::string>{alone.headline.words()}, "1 not judged: the devices differ: t4 and h200"));
  EXPECT_TRUE(mentions(alone.doubts, "the times of CUDA cases are not compared with those of the baseline"));

  const auto wanted = gate::cases_for_pairs(runs.comparison(), runs.policy);
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->open, std::vector<std::string>{on_gpu});

  record::Run pairs = paired_run("dddd");
  pairs.machine.device_key = "h200";
  add_paired_case(pairs, on_gpu, wobble(1e5, 1), wobble(2e5, 2));
  pairs.cases.front().device = "cuda";
  auto comparison = runs.comparison();
  comparison.pairs = &pairs;
  const auto paired = gate::judge_stored(comparison, runs.policy);
  ASSERT_TRUE(paired);
  EXPECT_EQ(finding(*paired, on_gpu).verdict, Verdict::regressed) << "both sides of a pair are of one GPU";
  EXPECT_EQ(paired->outcome, Outcome::fail);
}

record::Run without_nvml(const std::string& id, const char* name, double ns) {
  record::Run run = run_on(id, "", ns);
  run.machine.device_key.reset();
  run.machine.facts.push_back({"cuda_device", name, "", record::FactClass::warn});
  return run;
}

TEST(OtherDevices, WithoutNvmlTheirNamesTellThemApart) {
  StoredRuns other{without_nvml("aaaa", "Tesla T4", 2e5), without_nvml("bbbb", "Tesla T4", 2e5),
                   without_nvml("cccc", "NVIDIA H100 PCIe", 2e5)};
  EXPECT_EQ(finding(other.judge(), on_gpu).verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(other.judge().doubts, "Tesla T4"));
  StoredRuns same{without_nvml("aaaa", "Tesla T4", 2e5), without_nvml("bbbb", "Tesla T4", 2e5),
                  without_nvml("cccc", "Tesla T4", 2e5)};
  EXPECT_EQ(finding(same.judge(), on_gpu).verdict, Verdict::equivalent);
}

}  // namespace
