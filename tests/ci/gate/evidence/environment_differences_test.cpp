// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/environment_differences.hpp"

#include <gtest/gtest.h>

#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/vary.hpp"

namespace torchgate::gate {
namespace {

record::Machine machine_with(const std::string& variables, const std::string& switches = "none") {
  record::Machine machine;
  machine.facts = {{"environment_switches", switches, "", record::FactClass::warn},
                   {"library_environment", variables, "", record::FactClass::info}};
  return machine;
}

std::vector<std::string> differ(const record::Machine& before, const record::Machine& after) {
  std::vector<std::string> texts;
  for (const auto& each : machine_differences(before, after))
    texts.push_back(each.name + " " + each.before + " -> " + each.after);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(EnvironmentDifferences, EachVariableThatDiffersIsListed) {
  const auto before = machine_with("ATEN_CPU_CAPABILITY=default OMP_WAIT_POLICY=active");
  const auto after = machine_with("MKL_CBWR=AVX2,STRICT NVIDIA_TF32_OVERRIDE=1 OMP_WAIT_POLICY=passive");
  EXPECT_EQ(differ(before, after), (Texts{"library_environment: ATEN_CPU_CAPABILITY default -> (not set)",
                                          "library_environment: MKL_CBWR (not set) -> AVX2,STRICT",
                                          "library_environment: NVIDIA_TF32_OVERRIDE (not set) -> 1",
                                          "library_environment: OMP_WAIT_POLICY active -> passive"}));
  EXPECT_EQ(differ(before, before), Texts{});
  EXPECT_EQ(differ(machine_with("none"), machine_with("TORCH_LOGS=all")),
            Texts{"library_environment: TORCH_LOGS (not set) -> all"});
}

TEST(EnvironmentDifferences, AValueMayHaveSpaces) {
  EXPECT_EQ(differ(machine_with("GOMP_CPU_AFFINITY=0 3 1-2 OMP_DISPLAY_ENV=1"),
                   machine_with("GOMP_CPU_AFFINITY=0 3 OMP_DISPLAY_ENV=1")),
            Texts{"library_environment: GOMP_CPU_AFFINITY 0 3 1-2 -> 0 3"});
}

TEST(EnvironmentDifferences, WhatSaysNothingOrIsToldElsewhereIsLeftOut) {
  EXPECT_EQ(differ(machine_with("CUDA_VISIBLE_DEVICES=0 LANG=C LC_ALL=C LD_LIBRARY_PATH=/a LD_PRELOAD=/x.so",
                                "LD_PRELOAD=/x.so"),
                   machine_with("CUDA_VISIBLE_DEVICES=1 LANG=de_DE LC_ALL=de LD_LIBRARY_PATH=/b")),
            Texts{"environment_switches LD_PRELOAD=/x.so -> none"});
  record::Machine unknown = machine_with("TORCH_LOGS=all");
  unknown.facts.pop_back();
  EXPECT_EQ(differ(unknown, machine_with("TORCH_LOGS=all")), Texts{}) << "of an older version";
}

TEST(EnvironmentDifferences, AMergedRunHasTheValuesOfAllItsShards) {
  record::Machine merged = machine_with("OMP_NUM_THREADS=1");
  merged.facts.push_back(
      {"library_environment (shard 2)", "OMP_NUM_THREADS=1 OMP_WAIT_POLICY=active", "", record::FactClass::info});
  EXPECT_EQ(differ(machine_with("OMP_NUM_THREADS=1"), merged),
            Texts{"library_environment: OMP_WAIT_POLICY (not set) -> (not set) or active"});
  EXPECT_EQ(differ(merged, merged), Texts{});
  EXPECT_EQ(changed_variables(machine_with("OMP_NUM_THREADS=1"), merged), Texts{"OMP_WAIT_POLICY"});
}

TEST(EnvironmentDifferences, ChangedVariablesAreAlsoThoseOfTheSwitches) {
  EXPECT_EQ(changed_variables(machine_with("LANG=C", "DEBUG=1"), machine_with("LANG=de MKL_CBWR=AVX2")),
            (Texts{"DEBUG", "MKL_CBWR"}));
  EXPECT_EQ(changed_variables({}, machine_with("MKL_CBWR=AVX2")), Texts{}) << "of a tool that records none";
}

TEST(EnvironmentDifferences, CanBeWhatIsVaried) {
  for (const std::string name : {"environment", "library_environment"}) {
    EXPECT_TRUE(check_vary({name}, machine_with("none")));
    reports::Report report;
    report.differences = machine_differences(machine_with("none"), machine_with("OMP_WAIT_POLICY=active"));
    accept_varied(report, {name});
    EXPECT_TRUE(report.differences.empty()) << name;
  }
}

}  // namespace
}  // namespace torchgate::gate
