// SPDX-License-Identifier: Apache-2.0
// Stored runs of another host, by the facts of their records: their numbers are never compared.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ci/gate/evidence/stored_runs.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::Outcome;
using reports::Verdict;

constexpr const char* lost_here = "g/one/lost";

record::Run host_run(const std::string& id, double ns) {
  record::Run run = empty_run(id);
  add_case(run, "g/one/same", around(1e5, quiet));
  add_case(run, lost_here, around(ns, quiet));
  return run;
}

StoredRuns runs_of_hosts() {
  return {host_run("aaaa", 1e5), host_run("bbbb", 1e5), host_run("cccc", 3e5)};
}

record::MachineFact& cpu_of(record::Run& run) {
  return run.machine.facts.front();
}

// By its facts: both records have one host key.
TEST(OtherHosts, AnOlderRunOfAnotherHostIsNotComparedEither) {
  constexpr const char* words =
      "1 stored run excluded from the baseline (run aaaa: the hosts differ: cpu_model was \"Model B\" and is \"Model "
      "A\")";
  StoredRuns pool = runs_of_hosts();
  pool.current = host_run("cccc", 1e5);
  EXPECT_FALSE(mentions(pool.judge().doubts, "excluded from the baseline"));
  cpu_of(pool.older).value = "Model B";
  const auto pooled = pool.judge();
  EXPECT_EQ(pooled.outcome, Outcome::pass);
  EXPECT_TRUE(mentions(pooled.doubts, words));
  EXPECT_TRUE(pooled.before.run_ids == std::vector<std::string>{"bbbb"});
  silence_case(pool.newest, lost_here);
  const auto report = pool.judge();
  EXPECT_EQ(finding(report, lost_here).verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(report.doubts, words));
  cpu_of(pool.newest).value = "Model B";
  EXPECT_EQ(pool.judge().outcome, Outcome::no_verdict) << "of the nearest run there is no comparison at all";
}

TEST(OtherHosts, WhatOnlyAnotherHostMeasuredIsNew) {
  StoredRuns pool = runs_of_hosts();
  forget_case(pool.newest, lost_here);
  pool.newest.plan.filter = "same";
  EXPECT_EQ(finding(pool.judge(), lost_here).verdict, Verdict::suspected);
  cpu_of(pool.older).value = "Model B";
  EXPECT_EQ(finding(pool.judge(), lost_here).verdict, Verdict::new_case);
}

}  // namespace
