// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/one_sided_facts.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using record::FactClass;
using record::MachineFact;
using Texts = std::vector<std::string>;

record::Run imported(const std::string& id, std::vector<MachineFact> facts) {
  record::Run run = empty_run(id);
  run.plan.profile = record::imported_profile;
  run.plan.suites = {"google-benchmark"};
  run.machine.host_key.clear();
  run.machine.facts = std::move(facts);
  add_case(run, "BM_a", wobble(id == "1" ? 1000 : 1001, 1, 6));
  return run;
}

const MachineFact cpus{"num_cpus", "8", "", FactClass::host};

MachineFact noted(const std::string& name, const std::string& value, FactClass fact_class = FactClass::warn) {
  return {name, value, "", fact_class};
}

Texts listed(const record::Run& before, const record::Run& after) {
  Texts texts;
  for (const auto& each : one_sided_facts(before, after))
    texts.push_back(each.name + " " + each.before + " -> " + each.after);
  return texts;
}

TEST(OneSidedFacts, AKeyOfOneSideIsListed) {
  const auto with = imported("1", {cpus, noted("context: opt", "-O0")});
  const auto without = imported("2", {cpus});
  EXPECT_EQ(listed(without, with), Texts{"context: opt not set -> -O0"});
  EXPECT_EQ(listed(with, without), Texts{"context: opt -O0 -> not set"});
  EXPECT_EQ(listed(with, with), Texts{});
}

// Other versions of a tool write other facts, a CSV has none, and a key that differs within a side says nothing.
TEST(OneSidedFacts, OnlyAFileWithAContextLacksAKey) {
  const auto with = imported("1", {cpus, noted("context: opt", "-O0"), noted("aslr_enabled", "true")});
  EXPECT_EQ(listed(with, imported("2", {})), Texts{});
  EXPECT_EQ(listed(with, imported("2", {noted("label: BM_b", "avx512")})), Texts{});
  EXPECT_EQ(listed(with, imported("2", {cpus, noted("context: opt", "-O3", FactClass::info)})), Texts{});
  EXPECT_EQ(listed(imported("1", {cpus, noted("context: opt", "-O3", FactClass::info)}), imported("2", {cpus})),
            Texts{});
  auto other_tool = imported("2", {cpus});
  other_tool.plan.suites = {"pyperf"};
  EXPECT_EQ(listed(with, other_tool), Texts{});
  auto older = imported("2", {cpus});
  older.tool_version = "older";
  EXPECT_EQ(listed(with, older), Texts{});
}

TEST(OneSidedFacts, ALabelIsLostWhereItsCaseWasMeasured) {
  const auto with = imported("1", {cpus, noted("label: BM_a", "avx512"), noted("label: device of BM_a", "cuda"),
                                   noted("label: BM_gone", "x"), noted("setting: warmup of BM_a", "true")});
  EXPECT_EQ(listed(with, imported("2", {cpus})),
            (Texts{"label: BM_a avx512 -> not set", "label: device of BM_a cuda -> not set"}));
  EXPECT_EQ(listed(with, imported("2", {cpus, noted("label: BM_a", "1.5 GB/s", FactClass::info)})),
            Texts{"label: device of BM_a cuda -> not set"});
}

TEST(OneSidedFacts, AComparisonListsThem) {
  const auto before = imported("1", {cpus});
  const auto after = imported("2", {cpus, noted("context: opt", "-O0")});
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = judge_stored(comparison, policy::Policy());
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->differences.size(), 1U);
  EXPECT_EQ(report->differences[0].name, "context: opt");
  EXPECT_EQ(report->differences[0].after, "-O0");
}

}  // namespace
}  // namespace torchgate::gate::testing
