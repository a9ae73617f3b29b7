// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/much_shorter.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

record::Run measured(const std::string& id, double ns, std::int64_t calls, const std::string& host) {
  record::Run run = empty_run(id);
  run.plan.profile = record::imported_profile;
  run.machine.host_key.clear();
  run.machine.facts = {{"host_name", host, "", record::FactClass::warn}};
  add_case(run, "BM_a", wobble(ns, id == "a" ? 1 : 2, 6));
  for (record::Process& process : run.processes) process.cases.front().calls_per_sample = calls;
  return run;
}

std::vector<std::string> doubts(const record::Run& before, const record::Run& after) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  std::vector<std::string> words;
  const reports::Report report = judge_stored(comparison, policy::Policy()).value();
  for (const reports::Doubt& doubt : report.doubts) words.push_back(doubt.fact.words());
  return words;
}

TEST(MuchShorter, ADryRunIsDoubted) {
  const auto before = measured("a", 1000, 1'000'000, "h");
  EXPECT_TRUE(mentions(doubts(before, measured("b", 1000, 1, "h")),
                       "1 case was measured for less than a tenth of the baseline's time (BM_a: 3 of 3000000 calls"));
  EXPECT_FALSE(mentions(doubts(before, measured("b", 1000, 200'000, "h")), "less than a tenth"));
  EXPECT_FALSE(mentions(doubts(before, measured("b", 50'000, 20'000, "h")), "less than a tenth")) << "it is slower";
}

TEST(MuchShorter, OfASummaryTheCallsAreUnknown) {
  const auto before = measured("a", 1000, 1'000'000, "h");
  auto after = measured("b", 1000, 1, "h");
  for (record::Process& process : after.processes) process.cases.front().only_summary = true;
  EXPECT_FALSE(mentions(doubts(before, after), "less than a tenth"));
}

TEST(UnidentifiedMachine, OtherHostsAreNamed) {
  const auto before = measured("a", 1000, 1000, "h1");
  EXPECT_TRUE(mentions(doubts(before, measured("b", 1003, 1000, "h2")), "the files name different hosts (h1, h2)"));
  EXPECT_TRUE(mentions(doubts(before, measured("b", 1003, 1000, "h1")), "assumed to come from the same one"));
}

}  // namespace
}  // namespace torchgate::gate::testing
