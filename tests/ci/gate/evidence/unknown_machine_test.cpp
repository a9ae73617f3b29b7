// SPDX-License-Identifier: Apache-2.0
// Runs whose machine is hardly known, as imported ones are; and that the order of a run's parts means nothing.
#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "reports/formats/json.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using testing::add_case;
using testing::around;
using testing::empty_run;

record::Run run_on(const std::string& id, const std::string& host_key, std::vector<record::MachineFact> facts) {
  record::Run run = empty_run(id);
  run.machine.host_key = host_key;
  run.machine.facts = std::move(facts);
  add_case(run, "g/one", around(1e6, 0.01));
  return run;
}

record::MachineFact cpus(const std::string& count) {
  return {"num_cpus", count, "", record::FactClass::host};
}

reports::Report judged(const record::Run& before, const record::Run& after) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = judge_stored(comparison, policy::Policy{});
  EXPECT_TRUE(report);
  return *report;
}

std::ptrdiff_t doubts_about_the_machine(const reports::Report& report) {
  return std::count_if(report.doubts.begin(), report.doubts.end(), [](const std::string& doubt) {
    return doubt.find("the file does not identify the machine") != std::string::npos;
  });
}

TEST(UnknownMachine, IsComparedWithADoubtAboutBothSides) {
  const auto report = judged(run_on("1000000000000000", "", {}), run_on("2000000000000000", "", {}));
  EXPECT_EQ(report.outcome, reports::Outcome::pass);
  EXPECT_EQ(doubts_about_the_machine(report), 1);
  EXPECT_TRUE(report.doubts.front().fact.words().starts_with("baseline and this run: "));
}

// A report lists three doubts.
TEST(UnknownMachine, IsDoubtedBehindWhatIsNotInTheFilesOrNotJudged) {
  record::Run before = run_on("1000000000000000", "", {});
  record::Run after = run_on("2000000000000000", "", {});
  before.warnings = {"b.json: the newest of 2 entries", "b.txt: the file may have been cut off"};
  after.warnings = {"a.json: an invalid date", "fps: direction unknown, not judged"};
  const auto report = judged(before, after);
  const std::vector<std::string> doubts(report.doubts.begin(), report.doubts.end());
  ASSERT_EQ(doubts.size(), 5U);
  EXPECT_EQ(doubts[0], "baseline: b.txt: the file may have been cut off");
  EXPECT_EQ(report.doubts[0].kind, reports::DoubtKind::inputs);
  EXPECT_EQ(doubts[1], "this run: fps: direction unknown, not judged");
  EXPECT_EQ(doubts[2], "baseline: b.json: the newest of 2 entries");
  EXPECT_EQ(doubts_about_the_machine(report), 1);
  EXPECT_TRUE(doubts[4].find("does not identify the machine") != std::string::npos) << doubts[4];
}

TEST(UnknownMachine, NeitherMatchesAKnownOneNorIsRefused) {
  const auto known = run_on("1000000000000000", "host-a", {cpus("2")});
  const auto report = judged(known, run_on("2000000000000000", "", {cpus("2")}));
  EXPECT_EQ(report.outcome, reports::Outcome::pass);
  EXPECT_EQ(doubts_about_the_machine(report), 1);
}

TEST(UnknownMachine, IsRefusedForAFactThatBothSidesHave) {
  const auto report = judged(run_on("1000000000000000", "", {cpus("2")}), run_on("2000000000000000", "", {cpus("64")}));
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(report.headline, "the hosts differ: num_cpus was \"2\" and is \"64\"");
}

TEST(KnownMachine, GivesNoDoubt) {
  const auto report = judged(run_on("1000000000000000", "host-a", {}), run_on("2000000000000000", "host-a", {}));
  EXPECT_EQ(doubts_about_the_machine(report), 0);
}

// The same input twice, or in another order, gives the same bytes.
TEST(Report, IsTheSameInWhateverOrderCasesAndResultsStand) {
  const auto made = [](const std::string& id, double slower) {
    record::Run run = empty_run(id);
    for (int i = 0; i < 12; ++i)
      add_case(run, "g/case:" + std::to_string(i), around(1e6 * (i % 3 == 0 ? slower : 1), 0.01));
    return run;
  };
  const record::Run before = made("1000000000000000", 1);
  record::Run after = made("2000000000000000", 1.3);
  const std::string first = reports::render_json(judged(before, after));
  EXPECT_EQ(reports::render_json(judged(before, after)), first);
  std::rotate(after.cases.begin(), after.cases.begin() + 5, after.cases.end());
  for (record::Process& process : after.processes) {
    std::reverse(process.cases.begin(), process.cases.end());
    std::rotate(process.cases.begin(), process.cases.begin() + process.index, process.cases.end());
  }
  EXPECT_EQ(reports::render_json(judged(before, after)), first);
}

}  // namespace
}  // namespace torchgate::gate
