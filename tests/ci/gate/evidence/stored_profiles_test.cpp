// SPDX-License-Identifier: Apache-2.0
// Stored runs of several profiles: which of them may have removed a case, and which only left it out.
#include <gtest/gtest.h>

#include <string>

#include "tests/ci/gate/evidence/stored_runs.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::Outcome;
using reports::Verdict;

constexpr const char* in_older = "g/one/in_older";

record::Run run_with_case(const std::string& id) {
  record::Run run = empty_run(id);
  add_case(run, "g/one/kept", around(1e5, quiet));
  add_case(run, in_older, around(1e5, quiet));
  return run;
}

struct ProfiledRuns : StoredRuns {
  ProfiledRuns() : StoredRuns{run_with_case("aaaa"), run_with_case("bbbb"), run_with_case("cccc")} {}
};

// Profiles of the older run, which has the case, of the newest, which does not, and of this run, which does not, either.
struct Profiles {
  const char* older;
  const char* newest;
  const char* current;
};

reports::Report judged_without_case(const Profiles& profiles, bool of_base = false) {
  ProfiledRuns runs;
  runs.policy.of_base = of_base;
  runs.older.plan.profile = profiles.older;
  runs.newest.plan.profile = profiles.newest;
  runs.current.plan.profile = profiles.current;
  forget_case(runs.newest, in_older);
  forget_case(runs.current, in_older);
  return runs.judge();
}

TEST(StoredProfiles, ARunOfASmallerProfileRemovesNothing) {
  for (const Profiles& profiles : {Profiles{"default", "quick", "default"}, Profiles{"full", "default", "full"},
                                   Profiles{"full", "quick", "full"}, Profiles{"default", "quick", "full"}}) {
    SCOPED_TRACE(std::string(profiles.older) + ", " + profiles.newest + ", " + profiles.current);
    EXPECT_EQ(finding(judged_without_case(profiles), in_older).verdict, Verdict::missing);
  }
}

TEST(StoredProfiles, ARunOfTheSameOrALargerProfileHasRemovedWhatItDoesNotHave) {
  for (const Profiles& profiles : {Profiles{"default", "default", "default"}, Profiles{"quick", "default", "quick"},
                                   Profiles{"default", "full", "default"}, Profiles{"full", "full", "default"}}) {
    SCOPED_TRACE(std::string(profiles.older) + ", " + profiles.newest + ", " + profiles.current);
    const auto report = judged_without_case(profiles, true);
    EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
    EXPECT_TRUE(mentions(report.notes, "is neither in its newest run nor in this one"));
  }
}

TEST(StoredProfiles, WhatBothProfilesLeaveOutIsNotMissing) {
  for (const Profiles& profiles : {Profiles{"full", "default", "default"}, Profiles{"full", "default", "quick"},
                                   Profiles{"default", "quick", "quick"}}) {
    SCOPED_TRACE(std::string(profiles.older) + ", " + profiles.newest + ", " + profiles.current);
    const auto report = judged_without_case(profiles, true);
    EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
    EXPECT_EQ(report.cases_not_planned, 1);
  }
}

// The profile has had the case: its own gate has called it missing.
TEST(StoredProfiles, ARunOfASmallerProfileRemovesWhatThatProfileHad) {
  ProfiledRuns runs;
  record::Run oldest = run_with_case("dddd");
  runs.older.plan.profile = "full";
  runs.current.plan.profile = "full";
  forget_case(runs.newest, in_older);
  forget_case(runs.current, in_older);
  gate::Comparison comparison = runs.comparison();
  comparison.baseline.push_back(&oldest);
  EXPECT_EQ(gate::judge_stored(comparison, runs.policy).value().outcome, Outcome::pass);
  oldest.plan.profile = "full";
  EXPECT_EQ(finding(gate::judge_stored(comparison, runs.policy).value(), in_older).verdict, Verdict::missing);
}

TEST(StoredProfiles, ALargerProfileMeasuresWhatASmallerOneHas) {
  ProfiledRuns runs;
  runs.with_older = false;
  runs.current.plan.profile = "full";
  forget_case(runs.current, in_older);
  EXPECT_EQ(finding(runs.judge(), in_older).verdict, Verdict::missing);
  runs.current.plan.profile = "quick";
  EXPECT_EQ(runs.judge().cases_not_planned, 1);
  runs.policy.of_base = true;
  EXPECT_EQ(finding(runs.judge(), in_older).verdict, Verdict::missing);
}

}  // namespace
