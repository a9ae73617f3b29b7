// SPDX-License-Identifier: Apache-2.0
// A run against a history of stored runs: which of them are its baseline.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using reports::Outcome;
using reports::Verdict;

reports::Report after(const std::vector<double>& stored_ns, double current_ns) {
  std::vector<record::Run> stored;
  for (const double time : stored_ns) {
    stored.push_back(empty_run("run" + std::to_string(stored.size())));
    add_case(stored.back(), "g/one/v", around(time, quiet));
  }
  record::Run current = empty_run("cccc");
  add_case(current, "g/one/v", around(current_ns, quiet));
  Comparison comparison;
  for (const auto& run : stored) comparison.baseline.push_back(&run);
  comparison.current = &current;
  auto report = judge_stored(comparison, {});
  EXPECT_TRUE(report.ok());
  return std::move(report).value();
}

// Eleven stored runs, each 3 % faster than the one before: the newest is the level, and not their mean, 17 % above it.
TEST(StoredHistory, ARegressionAfterManyImprovementsFails) {
  std::vector<double> stored;
  for (int ago = 0; ago < 11; ++ago) stored.push_back(1e5 * std::pow(0.97, -ago));
  const reports::Report report = after(stored, 1.2e5);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(finding(report, "g/one/v").reasons, "10 earlier stored runs are at another level"));
}

// Every second run was 15 % slower, and so is this one.
TEST(StoredHistory, TheOtherStateOfTheMachineDoesNotFail) {
  const reports::Report report = after({1e5, 1.15e5, 1e5, 1.15e5, 1e5, 1.15e5, 1e5, 1.15e5, 1e5, 1.15e5, 1e5}, 1.15e5);
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::inconclusive);
  const reports::Report slower = after({1.15e5, 1e5, 1.15e5, 1e5, 1.15e5, 1e5, 1.15e5, 1e5, 1.15e5, 1e5}, 1.155e5);
  EXPECT_EQ(slower.outcome, Outcome::no_verdict) << "and it is not shown to be within the gate of the slow state";
}

}  // namespace
}  // namespace torchgate::gate::testing
