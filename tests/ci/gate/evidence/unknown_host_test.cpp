// SPDX-License-Identifier: Apache-2.0
// Hosts of which a fact of the key is unknown: all such machines have one key, and their times are not comparable.
#include <gtest/gtest.h>

#include "ci/gate/evidence/machines.hpp"
#include "tests/ci/gate/evidence/stored_runs.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::Outcome;
using reports::Verdict;

constexpr const char* name = "g/one/case";
constexpr const char* hosts_may_differ = "the hosts may differ: cpu_model of the baseline is unknown (no line)";

record::Run run_of(const std::string& id, double ns) {
  record::Run run = empty_run(id);
  run.machine.facts = {{"cpu_model", std::nullopt, "no line", record::FactClass::host}};
  add_case(run, name, around(ns, quiet));
  return run;
}

struct UnknownHost : ::testing::Test {
  StoredRuns runs{run_of("aaaa", 1e5), run_of("bbbb", 1e5), run_of("cccc", 1.6e5)};

  void know_models() {
    for (record::Run* const run : {&runs.older, &runs.newest, &runs.current})
      run->machine.facts.front().value = "POWER9";
  }
};

TEST_F(UnknownHost, StoredTimesDecideNothing) {
  const auto report = runs.judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(finding(report, name).verdict, Verdict::inconclusive);
  EXPECT_EQ(facts::words_of(finding(report, name).reasons), std::vector<std::string>{hosts_may_differ});
  EXPECT_EQ(report.doubts.front().fact.words(),
            "times are not compared with those of the baseline: " + std::string(hosts_may_differ));
  know_models();
  EXPECT_EQ(runs.judge().outcome, Outcome::fail);
}

TEST_F(UnknownHost, OneSideThatDoesNotKnowIsEnough) {
  know_models();
  runs.current.machine.facts.front() = {"cpu_model", std::nullopt, "no line", record::FactClass::host};
  EXPECT_TRUE(mentions(runs.judge().doubts, "cpu_model of this run is unknown (no line)"));
  runs.current.machine.host_key.clear();
  EXPECT_EQ(runs.judge().outcome, Outcome::fail) << "an imported run says so in a doubt of its own";
}

TEST_F(UnknownHost, AFactThatOneSideLacksIsUnknownThere) {
  know_models();
  runs.current.machine.facts.clear();
  EXPECT_EQ(runs.judge().outcome, Outcome::no_verdict);
  EXPECT_TRUE(mentions(runs.judge().doubts, "cpu_model of this run is unknown (its record lacks it)"));
  runs.current.machine.facts = {{"cpu_model", "POWER10", "", record::FactClass::info}};
  EXPECT_TRUE(mentions(runs.judge().doubts, "its record does not have it as a fact of the host"));
  runs.current.machine.facts.front().value = "POWER9";
  EXPECT_EQ(runs.judge().outcome, Outcome::no_verdict);
  runs.current.machine.facts = runs.newest.machine.facts;
  runs.newest.machine.facts.clear();
  runs.older.machine.facts.clear();
  EXPECT_TRUE(mentions(runs.judge().doubts, "cpu_model of the baseline is unknown (its record lacks it)"));
  runs.newest.machine.host_key.clear();
  runs.older.machine.host_key.clear();
  EXPECT_EQ(runs.judge().outcome, Outcome::fail) << "an imported run has few facts";
}

TEST_F(UnknownHost, PairsOfOneMachineDecide) {
  const auto wanted = gate::cases_for_pairs(runs.comparison(), runs.policy);
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->open, std::vector<std::string>{name});
  record::Run pairs = paired_run("dddd");
  pairs.machine.facts = runs.current.machine.facts;
  add_paired_case(pairs, name, wobble(1e5, 1), wobble(1.6e5, 2));
  auto comparison = runs.comparison();
  comparison.pairs = &pairs;
  const auto paired = gate::judge_stored(comparison, runs.policy);
  ASSERT_TRUE(paired);
  EXPECT_EQ(finding(*paired, name).verdict, Verdict::regressed);
  EXPECT_EQ(gate::judge_paired(pairs, runs.policy)->outcome, Outcome::fail);
}

}  // namespace
