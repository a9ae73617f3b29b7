// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/why_undecided.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_tests.hpp"

namespace {

using namespace torchgate;
using gate::Judged;
using gate::Reason;
using gate::ReasonKind;
using reports::Verdict;

// A case that its judge left undecided: no report is built.
Judged undecided(const record::Case& definition, const std::vector<Reason>& reasons, int before = 0, int after = 0) {
  Judged judged;
  judged.definition = &definition;
  for (const Reason& reason : reasons) add_reason(judged, reason.kind, reason.fact);
  judged.before_processes = before;
  judged.after_processes = after;
  return judged;
}

record::Case named(const std::string& name) {
  record::Case definition;
  definition.name = name;
  return definition;
}
const record::Case a = named("a");
const record::Case b = named("b");
const record::Case c = named("c");

template <class... Cases>
std::string why(Cases&&... cases) {
  std::vector<Judged> all;
  (all.push_back(std::forward<Cases>(cases)), ...);
  return gate::why_undecided(all);
}

Reason coded(stats::Reason code) {
  return {ReasonKind::rule, facts::test(code)};
}
const Reason one_process = coded(stats::Reason::one_process);
const Reason few_runs = coded(stats::Reason::few_baseline_runs);

Reason state(const std::string& text) {
  return {ReasonKind::state, text};
}

TEST(WhyUndecided, IsTheReasonAndNotTheNoteBeforeIt) {
  const Reason note{ReasonKind::measured,
                    "this run: slow warm-up: the first 3 of 9 samples of a process were discarded"};
  EXPECT_EQ(why(undecided(a, {note, one_process, few_runs}, 1, 1)),
            "no case could be judged: 1 process per side: no between-process variance");
}

TEST(WhyUndecided, SaysWhichSideHadOneProcess) {
  EXPECT_EQ(why(undecided(a, {one_process}, 5, 1)),
            "no case could be judged: 1 process in this run: no between-process variance");
  EXPECT_EQ(why(undecided(a, {one_process}, 1, 5)),
            "no case could be judged: 1 process in the baseline: no between-process variance");
}

TEST(WhyUndecided, GroupsThemMostFrequentFirst) {
  EXPECT_EQ(
      why(undecided(a, {state("unfit: the CPU throttled")}), undecided(b, {one_process}, 1, 1),
          undecided(c, {{ReasonKind::measured, "before: a note"}, one_process}, 1, 1)),
      "no case could be judged: 1 process per side: no between-process variance (2 cases); unfit: the CPU throttled "
      "(1 case)");
}

TEST(WhyUndecided, CountsACaseOnceAndNamesThreeReasons) {
  EXPECT_EQ(why(undecided(a, {state("first")}), undecided(a, {state("first")}), undecided(b, {state("first")}),
                undecided(c, {state("second")}), undecided(c, {state("third")}), undecided(c, {state("fourth")}),
                undecided(c, {state("fifth")})),
            "no case could be judged: first (2 cases); second (1 case); third (1 case); 2 more");
}

TEST(WhyUndecided, ANoteIsBetterThanNothing) {
  EXPECT_EQ(why(undecided(a, {{ReasonKind::measured, "after: a note"}})), "no case could be judged: after: a note");
  EXPECT_EQ(why(undecided(a, {})), "no case could be judged: the reason is unknown");
}

TEST(WhyUndecided, LeavesOutThatItWasNotJudged) {
  EXPECT_EQ(
      why(undecided(a, {{ReasonKind::too_few_pairs, facts::not_judged("3 pairs cannot show a regression")}, few_runs})),
      "no case could be judged: 3 pairs cannot show a regression");
}

TEST(WhyUndecided, WithoutAnUndecidedCaseSaysWhyNothingWasComparable) {
  EXPECT_EQ(why(gate::judged_state(a, Verdict::new_case, "not in the baseline")),
            "nothing could be compared: not in the baseline");
  EXPECT_EQ(gate::why_undecided({}), "nothing could be compared");
}

}  // namespace
