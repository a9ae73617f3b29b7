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

// Eleven stored runs, each 3 % faster than the one before: the newest is the level, and not their mean, 17 % above it.
TEST(StoredHistory, ARegressionAfterManyImprovementsFails) {
  std::vector<record::Run> stored;
  for (int ago = 0; ago < 11; ++ago) {
    stored.push_back(empty_run("run" + std::to_string(ago)));
    add_case(stored.back(), "g/one/v", around(1e5 * std::pow(0.97, -ago), quiet));
  }
  record::Run current = empty_run("cccc");
  add_case(current, "g/one/v", around(1.2e5, quiet));
  Comparison comparison;
  for (const auto& run : stored) comparison.baseline.push_back(&run);
  comparison.current = &current;
  const auto report = judge_stored(comparison, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::fail);
  EXPECT_EQ(finding(*report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(finding(*report, "g/one/v").reasons, "10 earlier stored runs are at another level"));
}

}  // namespace
}  // namespace torchgate::gate::testing
