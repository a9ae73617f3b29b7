// SPDX-License-Identifier: Apache-2.0
// What a run records of its machine.
#include "harness/launch/health.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/launch/collector.hpp"
#include "harness/launch/object_hashes.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/short_samples.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;
using record::MachineChecks;
using testing::fake_request;

const MachineCheck* find(const MachineChecks& checks, const std::string& name) {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const auto& check) { return check.name == name; });
  return found == checks.end() ? nullptr : &*found;
}

TEST(Health, ARunAsksBeforeAndAfter) {
  Request request = fake_request("ok");
  request.allow_noisy = true;
  Observer silent;
  const auto run = measure(request, silent);
  ASSERT_TRUE(run) << run.error().message;
  for (const char* const name : {"governor", "load", "self_test", "timer", "build"})
    EXPECT_NE(find(run->machine.checks_before, name), nullptr) << name;
  for (const char* const name : {"other_load", "steal", "context_switches", "suite_build"})
    EXPECT_NE(find(run->machine.checks_after, name), nullptr) << name;
  EXPECT_TRUE(run->machine.noisy_allowed);
  for (const MachineChecks* const checks : {&run->machine.checks_before, &run->machine.checks_after}) {
    std::set<std::string> names;
    for (const MachineCheck& check : *checks) {
      EXPECT_TRUE(names.insert(check.name).second) << check.name << " twice";
      EXPECT_FALSE(check.name.starts_with("gpu_")) << "no CUDA case ran";
    }
  }
  const auto again = record::run_from_json(record::to_json(*run), "run");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->machine, run->machine);
  EXPECT_TRUE(record::clock_step_ns(run->machine)) << "samples are compared with it";
}

TEST(Health, ACudaCaseMakesItAskNvmlAndWatch) {
  setenv("FAKE_NVML_REASONS", "0x40", 1);
  Request request = fake_request("ok");
  request.nvml_library = TORCHGATE_FAKE_NVML;
  record::Run run;
  run.cases.emplace_back().device = "cuda";
  HealthWatch health(request.machine, request);
  health.begin(run);
  health.finish(run);
  unsetenv("FAKE_NVML_REASONS");
  ASSERT_NE(find(run.machine.checks_before, "gpu_persistence"), nullptr);
  EXPECT_EQ(find(run.machine.checks_before, "gpu_persistence")->answer, CheckAnswer::ok);
  const MachineCheck* const throttling = find(run.machine.checks_after, "gpu_throttling");
  ASSERT_NE(throttling, nullptr);
  EXPECT_EQ(throttling->answer, CheckAnswer::bad);
  EXPECT_EQ(throttling->severity, CheckSeverity::fatal);
  EXPECT_TRUE(run.machine.device_key);
}

TEST(Health, WithoutNvmlTheRowsOfACudaRunAreUnknown) {
  Request request = fake_request("ok");
  request.nvml_library = "libno-such-nvml.so.1";
  record::Run run;
  run.cases.emplace_back().device = "cuda";
  HealthWatch health(request.machine, request);
  health.begin(run);
  health.finish(run);
  ASSERT_NE(find(run.machine.checks_before, "gpu_memory"), nullptr);
  EXPECT_EQ(find(run.machine.checks_before, "gpu_memory")->answer, CheckAnswer::unknown);
  EXPECT_EQ(find(run.machine.checks_after, "gpu_throttling")->answer, CheckAnswer::unknown);
  EXPECT_FALSE(run.machine.device_key);
}

std::optional<std::string> key_after(const std::string& device, std::optional<std::string> of_nvml = {}) {
  record::Run run;
  run.cases.emplace_back().device = device;
  run.machine.device_key = std::move(of_nvml);
  run.sides.resize(1);
  ObjectHashes hashes;
  Collector collector(run, hashes);
  collector.take_over({}, {{"cuda_device", "NVIDIA H100 PCIe"}});
  collector.finish();
  return run.machine.device_key;
}

TEST(Health, WithoutNvmlTheSuitesNameTheDevice) {
  EXPECT_EQ(key_after("cuda"), "nvidia-h100-pcie-by-name");
  EXPECT_EQ(key_after("cuda", "nvidia-h100-pcie-1x-0a1b2c3d"), "nvidia-h100-pcie-1x-0a1b2c3d");
  EXPECT_EQ(key_after("cpu"), std::nullopt) << "nothing of this run depends on it";
}

// Two ranks that wake each other, and one thread beside a busy program: only the second is evidence of other load.
TEST(Health, PreemptionsOfRanksByEachOtherAreNotOtherLoad) {
  const Request request = fake_request("ok");
  record::Run run;
  run.groups = {{"g/ranks", "g", std::nullopt, {}, 2}, {"g/plain", "g", std::nullopt, {}, 1}};
  HealthWatch health(request.machine, request);
  health.begin(run);
  record::Process ranks;
  ranks.group = "g/ranks";
  ranks.cpu_ns = 7'585'000'000;
  ranks.usage = record::ProcessUsage{0, 0, 20559, 6390};
  record::Process plain;
  plain.group = "g/plain";
  plain.cpu_ns = 2'000'000'000;
  plain.usage = record::ProcessUsage{0, 0, 20, 20};
  run.processes = {ranks, plain};
  health.finish(run);
  const MachineCheck* switches = find(run.machine.checks_after, "context_switches");
  ASSERT_NE(switches, nullptr);
  EXPECT_EQ(switches->answer, CheckAnswer::ok) << switches->seen;
  run.processes[1].usage->involuntary_switches = 2000;
  health.finish(run);
  switches = find(run.machine.checks_after, "context_switches");
  EXPECT_EQ(switches->answer, CheckAnswer::bad) << switches->seen;
  EXPECT_NE(switches->seen.find("preempted 1000 times"), std::string::npos) << switches->seen;
}

}  // namespace
}  // namespace torchgate::launch
