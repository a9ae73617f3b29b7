// SPDX-License-Identifier: Apache-2.0
// The histories of all cases of some runs: with which software each was measured.
#include "ci/history/points.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ci/gate/made_run.hpp"

namespace torchgate::history {
namespace {

RunPoints points_of_day(int day, const std::string& libtorch, const std::string& torchgate) {
  record::Run run = gate::testing::empty_run("000000000000000" + std::to_string(day % 10));
  run.created = "2026-01-" + std::to_string(10 + day) + "T00:00:00.000Z";
  run.sides.front().source.commit = std::string(40, 'a');
  run.tool_version = torchgate;
  if (!libtorch.empty()) run.machine.facts.push_back({"libtorch_version", libtorch, "", record::FactClass::warn});
  gate::testing::add_case(run, "g/one/case", std::vector<double>(5, 1e6 + day));
  return points_of(run);
}

std::vector<std::string> versions_of(const std::vector<RunPoints>& runs) {
  std::vector<const RunPoints*> all;
  for (const RunPoints& run : runs) all.push_back(&run);
  const auto histories = histories_of(all, {});
  std::vector<std::string> versions;
  for (const reports::HistoryVersion& each : histories.at(0).versions)
    versions.push_back(std::to_string(each.run) + " " + each.name + " " + each.before + ">" + each.version);
  return versions;
}

TEST(Points, HaveTheVersionsOfTheirRun) {
  const RunPoints points = points_of_day(0, "2.4.0", "0.1.0");
  EXPECT_EQ(points.libtorch, "2.4.0");
  EXPECT_EQ(points.torchgate, "0.1.0");
  EXPECT_EQ(points_of_day(0, "", "0.1.0").libtorch, "");
}

TEST(Points, OfRunsWithOtherSettingsAreNotOfOneHistory) {
  std::vector<RunPoints> runs{points_of_day(0, "", "0.1.0"), points_of_day(1, "", "0.1.0")};
  const auto runs_in_history = [&] { return histories_of({&runs[0], &runs[1]}, {}).at(0).runs.size(); };
  EXPECT_EQ(runs_in_history(), 2U);
  record::Run few = gate::testing::empty_run("0000000000000002");
  few.plan.profile = "quick";
  few.plan.samples = 7;
  gate::testing::add_case(few, "g/one/case", std::vector<double>(5, 2e6));
  runs[1] = points_of(few);
  EXPECT_EQ(runs[1].cases.at(0).series->sampling, "--quick --samples 7");
  EXPECT_EQ(runs_in_history(), 1U);
}

TEST(Points, AVersionIsNotedAtTheFirstRunThatHasIt) {
  EXPECT_EQ(versions_of({points_of_day(0, "2.4.0", "0.1.0"), points_of_day(1, "2.4.0", "0.1.0"),
                         points_of_day(2, "2.5.0", "0.1.0"), points_of_day(3, "2.5.0", "0.2.0"),
                         points_of_day(4, "2.4.0", "0.2.0")}),
            (std::vector<std::string>{"0 LibTorch >2.4.0", "0 torchgate >0.1.0", "2 LibTorch 2.4.0>2.5.0",
                                      "3 torchgate 0.1.0>0.2.0", "4 LibTorch 2.5.0>2.4.0"}));
}

TEST(Points, AnUnknownVersionIsNotAnotherOne) {
  EXPECT_EQ(versions_of({points_of_day(0, "", "0.1.0"), points_of_day(1, "2.4.0", "0.1.0"),
                         points_of_day(2, "", "0.1.0"), points_of_day(3, "2.4.0", "0.1.0")}),
            (std::vector<std::string>{"0 torchgate >0.1.0", "1 LibTorch >2.4.0"}));
}

}  // namespace
}  // namespace torchgate::history
