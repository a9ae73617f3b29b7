// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/why_undecided.hpp"

#include <gtest/gtest.h>

namespace {

using namespace torchgate;
using reports::Finding;
using reports::Verdict;

Finding undecided(const std::string& name, std::vector<std::string> reasons, int before = 0, int after = 0) {
  Finding finding;
  finding.case_name = name;
  finding.verdict = Verdict::inconclusive;
  finding.reasons = std::move(reasons);
  if (before > 0) finding.before.emplace().processes = before;
  if (after > 0) finding.after.emplace().processes = after;
  return finding;
}

const std::string one_process = "1 process: no between-process variance";
const std::string few_runs = "few stored runs: the run-to-run variance is assumed for this machine, not seen";

TEST(WhyUndecided, IsTheReasonAndNotTheNoteBeforeIt) {
  const Finding finding = undecided(
      "a",
      {"this run: it was slow to warm up: the first 3 of 9 samples of a process are left out", one_process, few_runs},
      1, 1);
  EXPECT_EQ(gate::why_undecided({finding}), "no case could be judged: 1 process a side: no between-process variance");
}

TEST(WhyUndecided, SaysWhichSideHadOneProcess) {
  EXPECT_EQ(gate::why_undecided({undecided("a", {one_process}, 5, 1)}),
            "no case could be judged: 1 process in this run: no between-process variance");
  EXPECT_EQ(gate::why_undecided({undecided("a", {one_process}, 1, 5)}),
            "no case could be judged: 1 process in the baseline: no between-process variance");
}

TEST(WhyUndecided, GroupsThemMostFrequentFirst) {
  EXPECT_EQ(
      gate::why_undecided({undecided("a", {"unfit: the CPU throttled"}), undecided("b", {one_process}, 1, 1),
                           undecided("c", {"before: a note", one_process}, 1, 1)}),
      "no case could be judged: 1 process a side: no between-process variance (2 cases); unfit: the CPU throttled "
      "(1 case)");
}

TEST(WhyUndecided, CountsACaseOnceAndNamesThreeReasons) {
  std::vector<Finding> findings;
  for (const char* name : {"a", "a", "b"}) findings.push_back(undecided(name, {"first"}));
  for (const char* reason : {"second", "third", "fourth", "fifth"}) findings.push_back(undecided(reason, {reason}));
  EXPECT_EQ(gate::why_undecided(findings),
            "no case could be judged: first (2 cases); second (1 case); third (1 case); 2 more");
}

TEST(WhyUndecided, ANoteIsBetterThanNothing) {
  EXPECT_EQ(gate::why_undecided({undecided("a", {"after: a note"})}), "no case could be judged: after: a note");
  EXPECT_EQ(gate::why_undecided({undecided("a", {})}), "no case could be judged: the reason is unknown");
}

TEST(WhyUndecided, WithoutAnUndecidedCaseSaysWhyNothingWasComparable) {
  Finding apart = undecided("a", {"not in the baseline"});
  apart.verdict = Verdict::new_case;
  EXPECT_EQ(gate::why_undecided({apart}), "nothing could be compared: not in the baseline");
  EXPECT_EQ(gate::why_undecided({}), "nothing could be compared");
}

}  // namespace
