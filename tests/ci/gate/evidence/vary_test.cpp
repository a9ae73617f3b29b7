// SPDX-License-Identifier: Apache-2.0
// Which facts refuse a comparison, which only warn, and what `ab --vary` is quiet about.
#include "ci/gate/evidence/vary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/judge.hpp"
#include "harness/machine/facts.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using record::FactClass;
using testing::around;

/// A run on a machine with a fact of each class, and its key as the machine makes it.
record::Run run_on(const std::string& id, const std::string& changed = "", const std::string& value = "") {
  record::Run run = testing::empty_run(id);
  run.machine.facts = {{"architecture", "x86_64", "", FactClass::host},
                       {"cpu_model", "Xeon", "", FactClass::host},
                       {"cpu_count", "2", "", FactClass::host},
                       {"threads", "OMP_NUM_THREADS=1", "", FactClass::host},
                       {"libtorch_version", "2.10.0", "", FactClass::warn},
                       {"kernel", "6.1.0", "", FactClass::warn},
                       {"gpu_name", "H100", "", FactClass::device},
                       {"hostname", "runner-7", "", FactClass::info}};
  run.machine.device_key = "h100";
  for (record::MachineFact& fact : run.machine.facts)
    if (fact.name == changed) fact.value = value;
  if (changed == "gpu_name") run.machine.device_key = value;
  run.machine.host_key = machine::host_key(run.machine.facts);
  testing::add_case(run, "g/one", around(1e6, 0.001));
  return run;
}

reports::Report judge_hosts(const record::Run& before, const record::Run& after) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = judge_stored(comparison, {});
  EXPECT_TRUE(report);
  return *report;
}

TEST(HostKey, EachHostFactRefusesAndNamesBothValues) {
  const record::Run before = run_on("1000000000000000");
  const std::vector<std::array<std::string, 3>> flips = {{"architecture", "x86_64", "aarch64"},
                                                         {"cpu_model", "Xeon", "EPYC"},
                                                         {"cpu_count", "2", "4"},
                                                         {"threads", "OMP_NUM_THREADS=1", "OMP_NUM_THREADS=2"}};
  for (const auto& [name, was, is] : flips) {
    const auto report = judge_hosts(before, run_on("2000000000000000", name, is));
    EXPECT_EQ(report.outcome, reports::Outcome::no_verdict) << name;  // exit code 3
    EXPECT_EQ(report.headline, "the hosts differ: " + name + " was \"" + was + "\" and is \"" + is + "\"");
    EXPECT_TRUE(report.findings.empty()) << name;
  }
  // None was forgotten: these are all facts of class host that a machine has.
  std::size_t host_facts = 0;
  for (const auto& fact : machine::collect_machine({}).facts)
    host_facts += fact.fact_class == FactClass::host ? 1U : 0U;
  EXPECT_EQ(host_facts, flips.size());
}

TEST(HostKey, ASoftwareFactOnlyWarns) {
  const record::Run before = run_on("1000000000000000");
  for (const std::string name : {"libtorch_version", "kernel"}) {
    const auto report = judge_hosts(before, run_on("2000000000000000", name, "7"));
    EXPECT_EQ(report.outcome, reports::Outcome::pass) << name;
    ASSERT_EQ(report.differences.size(), 1U) << name;
    EXPECT_EQ(report.differences[0].name, name);
    EXPECT_FALSE(report.differences[0].refuses);
  }
  EXPECT_TRUE(judge_hosts(before, run_on("2000000000000000", "hostname", "other")).differences.empty());
}

TEST(DeviceKey, AnotherDeviceKeepsCudaTimesFromBeingJudged) {
  record::Run before = run_on("1000000000000000");
  record::Run after = run_on("2000000000000000", "gpu_name", "H200");
  EXPECT_EQ(judge_hosts(before, after).outcome, reports::Outcome::pass);  // a CPU case does not care
  for (record::Run* const run : {&before, &after}) run->cases.front().device = "cuda";
  const auto report = judge_hosts(before, after);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(facts::words_of(report.findings.front().reasons),
            std::vector<std::string>{"the devices differ: gpu_name was \"H100\" and is \"H200\""});
}

TEST(DeviceKey, ADeviceThatOneSideDoesNotKnowIsAnotherOne) {
  for (const bool of_before : {true, false}) {
    record::Run before = run_on("1000000000000000");
    record::Run after = run_on("2000000000000000");
    for (record::Run* const run : {&before, &after}) run->cases.front().device = "cuda";
    EXPECT_EQ(judge_hosts(before, after).outcome, reports::Outcome::pass);
    record::Run& unknown = of_before ? before : after;
    unknown.machine.device_key.reset();
    const auto report = judge_hosts(before, after);
    EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
    const std::string why = of_before ? "the device of the baseline is unknown" : "the device of this run is unknown";
    EXPECT_EQ(facts::words_of(report.findings.front().reasons), std::vector<std::string>{why});
    EXPECT_EQ(report.doubts.front().fact.words(),
              "the times of CUDA cases are not compared with those of the baseline: " + why);
  }
}

record::Run varied_pairs() {
  record::Run run = testing::paired_run("3000000000000000");
  run.machine.facts = {{"libtorch_version (before)", "2.10.0", "", FactClass::warn},
                       {"libtorch_version (after)", "2.11.0", "", FactClass::warn},
                       {"suite_compiler (before)", "gcc 12", "", FactClass::warn},
                       {"suite_compiler (after)", "gcc 13", "", FactClass::warn},
                       {"kernel", "6.1.0", "", FactClass::warn}};
  testing::add_paired_case(run, "g/one", std::vector<double>(12, 1e6), std::vector<double>(12, 1e6));
  return run;
}

std::vector<std::string> names_of(const std::vector<reports::Difference>& differences) {
  std::vector<std::string> names;
  for (const auto& difference : differences) names.push_back(difference.name);
  return names;
}

TEST(Vary, WithoutItEachDifferenceIsReported) {
  const auto report = judge_paired(varied_pairs(), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(names_of(report->differences), (std::vector<std::string>{"libtorch_version", "suite_compiler"}));
  EXPECT_EQ(report->differences[0].before, "2.10.0");
  EXPECT_EQ(report->differences[0].after, "2.11.0");
}

TEST(Vary, IsQuietAboutWhatItWasToldAndNothingElse) {
  policy::Policy policy;
  policy.vary = {"libtorch"};
  const auto report = judge_paired(varied_pairs(), policy);
  EXPECT_EQ(names_of(report->differences), std::vector<std::string>{"suite_compiler"});
  EXPECT_NE(std::find(report->notes.begin(), report->notes.end(), "varied on purpose: libtorch_version"),
            report->notes.end());
  policy.vary = {"libtorch_version", "suite_compiler"};
  EXPECT_TRUE(judge_paired(varied_pairs(), policy)->differences.empty());
}

TEST(Vary, RefusesAnUnknownName) {
  const record::Machine machine = run_on("1000000000000000").machine;
  EXPECT_TRUE(check_vary({"libtorch", "kernel", "suite_compiler"}, machine));
  const auto typo = check_vary({"libtorhc"}, machine);
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(typo.error().message.find("--vary libtorhc: unknown fact; did you mean \"libtorch\""), std::string::npos)
      << typo.error().message;
  EXPECT_FALSE(check_vary({"cpu_model"}, machine));  // another host is not a variation: it is refused
  EXPECT_FALSE(check_vary({""}, machine));
}

}  // namespace
}  // namespace torchgate::gate
