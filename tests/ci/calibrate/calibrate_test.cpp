// SPDX-License-Identifier: Apache-2.0
// A calibration of made runs whose noise is known.
#include "ci/calibrate/calibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::empty_run;

constexpr int cases = 40;
constexpr int run_count = 12;

// Runs with these SDs between runs and between processes; the samples of made runs spread by some 1.5 %.
std::vector<record::Run> made_runs(double run_sd, double process_sd) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<record::Run> runs;
  for (int r = 0; r < run_count; ++r) {
    runs.push_back(empty_run("run" + std::to_string(r)));
    record::LoadedObject object;
    object.sha256 = "f00d";
    runs.back().objects = {object};
    for (int c = 0; c < cases; ++c) {
      const double level = 1e5 * (1 + c) * std::exp(run_sd * normal(random));
      std::vector<double> medians;
      for (int p = 0; p < 5; ++p) medians.push_back(level * std::exp(process_sd * normal(random)));
      add_case(runs.back(), "g/one/v" + std::to_string(c), medians);
    }
  }
  return runs;
}

calibrate::CalibrationRequest request(const std::vector<record::Run>& runs) {
  calibrate::CalibrationRequest made;
  for (const record::Run& run : runs) made.runs.push_back(&run);
  made.created = "2026-01-01T00:00:00.000Z";
  return made;
}

TEST(Calibrate, RecoversTheSpreadBetweenRunsAndProcesses) {
  const auto runs = made_runs(0.03, 0.02);
  const auto calibration = calibrate::calibrate(request(runs), {});
  ASSERT_TRUE(calibration.ok());
  ASSERT_EQ(calibration->cases.size(), static_cast<std::size_t>(cases));
  EXPECT_NEAR(calibration->run_sd, 0.03, 0.006);
  double process = 0;
  for (const auto& one : calibration->cases) process += one.process_sd.value() * one.process_sd.value() / cases;
  EXPECT_NEAR(std::sqrt(process), 0.02, 0.003);
  // A known 3 % from run to run: one stored run cannot see 5 %, ten see more, pairs see much more.
  const auto& one = calibration->cases.front();
  EXPECT_GT(one.found_by_one_run.value(), 0.05);
  EXPECT_LT(one.found_by_ten_runs.value(), one.found_by_one_run.value());
  EXPECT_LT(one.found_by_pairs.value(), one.found_by_ten_runs.value());
}

TEST(Calibrate, CountsWhatEachRuleFlagsWithoutAChange) {
  const auto runs = made_runs(0.03, 0.002);
  const auto calibration = calibrate::calibrate(request(runs), {});
  ASSERT_TRUE(calibration.ok());
  const auto rule = [&](const std::string& name) {
    for (const auto& one : calibration->rules) {
      if (one.rule == name) return one;
    }
    throw std::logic_error("no rule " + name);
  };
  const std::int64_t tests = cases * (run_count - 1);
  EXPECT_EQ(rule("textbook").tests, tests);
  EXPECT_EQ(rule("history").tests, cases * (run_count - 5));
  // 3 % between runs and hardly anything inside them: the textbook takes nearly every second run for slower.
  EXPECT_GT(rule("textbook").flagged, tests / 4);
  // The calibrated spread is the true one: one-sided 2.5 %, give or take.
  EXPECT_LT(rule("welch").flagged, tests / 20);
  EXPECT_LT(rule("history").flagged, tests / 20);
  EXPECT_EQ(rule("exact").flagged, 0);
}

TEST(Calibrate, RefusesRunsBetweenWhichSomethingMayHaveChanged) {
  auto runs = made_runs(0.01, 0.01);
  runs[4].objects[0].sha256 = "beef";
  const auto other_objects = calibrate::calibrate(request(runs), {});
  ASSERT_FALSE(other_objects.ok());
  EXPECT_NE(other_objects.error().message.find("run0 and run4 did not load the same"), std::string::npos)
      << other_objects.error().message;
  runs[4].objects[0].sha256 = "f00d";
  runs[2].machine.host_key = "host-b";
  EXPECT_FALSE(calibrate::calibrate(request(runs), {}).ok());
  runs[2].machine.host_key = runs[0].machine.host_key;
  EXPECT_TRUE(calibrate::calibrate(request(runs), {}).ok());
  runs[2].machine.device_key = "t4";
  EXPECT_TRUE(calibrate::calibrate(request(runs), {}).ok()) << "no case on a GPU";
  EXPECT_EQ(calibrate::calibrate(request(runs), {})->device_key, std::nullopt);
  for (record::Run& run : runs) run.cases[0].device = "cuda";
  EXPECT_NE(calibrate::calibrate(request(runs), {}).error().message.find("different GPUs (unknown and t4)"),
            std::string::npos);
  runs.resize(2);
  EXPECT_NE(calibrate::calibrate(request(runs), {}).error().message.find("at least 3 runs"), std::string::npos);
}

TEST(Calibrate, RefusesRunsThatDoNotRepeatOneMeasurement) {
  const auto runs = made_runs(0.01, 0.01);
  const auto refused = [&](auto change) {
    auto changed = runs;
    change(changed[3]);
    const auto calibration = calibrate::calibrate(request(changed), {});
    return calibration ? "accepted" : calibration.error().message;
  };
  const std::string both = "runs run0 and run3 have different ";
  const std::string advice = "; use runs measured with the same options";
  EXPECT_EQ(refused([](auto& run) { run.interrupted = true; }),
            "run run3 is not complete: calibrate from complete runs");
  EXPECT_EQ(refused([](auto& run) { run.plan.missing_shards = {2}; }),
            "run run3 is not complete: calibrate from complete runs");
  EXPECT_EQ(refused([](auto& run) { run.id = "run1"; }), "run run1 is named twice; name each run once");
  EXPECT_EQ(refused([](auto& run) { run.plan.profile = "quick"; }), both + "profiles (default and quick)" + advice);
  EXPECT_EQ(refused([](auto& run) { run.plan.processes = 3; }), both + "numbers of processes (5 and 3)" + advice);
  EXPECT_EQ(refused([](auto& run) { run.plan.warmup_calls = 3; }),
            both + "numbers of warm-up calls (those of the suites and 3)" + advice);
  EXPECT_EQ(refused([](auto& run) { run.plan.samples = 3; }),
            both + "numbers of samples (those of the suites and 3)" + advice);
  EXPECT_EQ(refused([](auto& run) { run.cases.pop_back(); }),
            "runs run0 and run3 do not have the same cases: only run run0 has g/one/v39" + advice);
  EXPECT_EQ(refused([](auto& run) { run.cases[2].name = "g/one/new"; }),
            "runs run0 and run3 do not have the same cases: only run run0 has g/one/v2" + advice);
}

TEST(Calibrate, RefusesRunsOfOtherThreadsAndKernels) {
  auto runs = made_runs(0.01, 0.01);
  for (record::Run& run : runs) run.machine.facts.push_back({"intra_op_threads", "1", "", record::FactClass::warn});
  runs[3].machine.facts.back().value = "1, 2";
  EXPECT_TRUE(calibrate::calibrate(request(runs), {}).ok()) << "its processes differ; the others' crashed, maybe";
  runs[3].machine.facts.back().value = "8";
  EXPECT_NE(calibrate::calibrate(request(runs), {}).error().message.find("different intra_op_threads (1 and 8)"),
            std::string::npos);
  runs[3].machine.facts.back().value = "1";
  for (record::Run& run : runs) run.cases[0].settings = std::string("threads 1");
  runs[4].cases[0].settings = std::string("threads 2");
  EXPECT_NE(calibrate::calibrate(request(runs), {}).error().message.find("(threads 1 and threads 2)"),
            std::string::npos);
  runs[4].cases[0].settings = std::string("threads 1");
  record::InstructionCount count;
  count.case_name = "g/one/v0";
  count.counter = "callgrind-3.19.0";
  count.per_call = {1000};
  count.cpu_capability = "AVX2";
  for (record::Run& run : runs) run.instructions = {count};
  EXPECT_TRUE(calibrate::calibrate(request(runs), {}).ok());
  runs[5].instructions[0].cpu_capability = "AVX512";
  EXPECT_NE(calibrate::calibrate(request(runs), {}).error().message.find("different kernels counted (AVX2 and AVX512)"),
            std::string::npos);
}

// The largest over the smallest of all processes of all runs, of the counter that the first run has.
TEST(Calibrate, KeepsByHowMuchInstructionsDiffer) {
  auto runs = made_runs(0.01, 0.01);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    record::InstructionCount one;
    one.case_name = "g/one/v0";
    one.counter = i == 3 ? "hardware" : "callgrind-3.19.0";
    one.per_call = i == 3 ? std::vector<double>{5, 6} : std::vector<double>{1000, i == 7 ? 1002.0 : 1001.0};
    record::InstructionCount unknown;
    unknown.case_name = "g/one/v1";
    unknown.counter = one.counter;
    unknown.unknown = "several threads";
    runs[i].instructions = {one, unknown};
  }
  const auto calibration = calibrate::calibrate(request(runs), {});
  ASSERT_TRUE(calibration.ok()) << calibration.error().message;
  EXPECT_EQ(calibration->instruction_counter, "callgrind-3.19.0");
  ASSERT_TRUE(calibration->cases[0].instructions_spread);
  EXPECT_NEAR(*calibration->cases[0].instructions_spread, 0.002, 1e-12);
  EXPECT_FALSE(calibration->cases[1].instructions_spread);
  EXPECT_TRUE(calibrate::calibrate(request(made_runs(0.01, 0.01)), {})->instruction_counter.empty());
}

}  // namespace
