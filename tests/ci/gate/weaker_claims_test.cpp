// SPDX-License-Identifier: Apache-2.0
// Claims of the baseline that a change removed, loosened or marked as not claimed.
#include "ci/gate/weaker_claims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_exact;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::with_claim;
using reports::ClaimState;
using reports::Outcome;

// The claims of a comparison of BEFORE with AFTER that are broken, by their reasons.
std::vector<std::string> given_up(const record::Run& before, record::Run after, const policy::Policy& policy = {},
                                  Outcome outcome = Outcome::pass) {
  after.id = "bbbb";
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = gate::judge_stored(comparison, policy).value();
  EXPECT_EQ(report.outcome, outcome) << report.headline;
  std::vector<std::string> reasons;
  for (const reports::ClaimFinding& claim : report.claims)
    if (claim.state == ClaimState::broken) reasons.push_back(facts::listed(claim.reasons));
  return reasons;
}

TEST(Claims, OfTheBaselineCannotBeGivenUp) {
  const auto claiming = [](double ratio) {
    return with_claim(around(1e5, 0.001), around(0.5e5, 0.001), record::Relation::at_most, ratio);
  };
  const record::Run before = claiming(0.9);
  EXPECT_TRUE(given_up(before, claiming(0.9)).empty());
  EXPECT_TRUE(given_up(before, claiming(0.8)).empty()) << "it promises more";
  EXPECT_EQ(given_up(before, claiming(1.2)),
            std::vector<std::string>{"at most 0.9 in the baseline, and 1.2 now: the change loosened the claim"});
  record::Run without = claiming(0.9);
  without.groups[0].claims.clear();
  EXPECT_EQ(
      given_up(before, without),
      std::vector<std::string>{"claimed in the baseline (limit 0.9), and no longer: the change removed the claim"});
  policy::Policy strict;
  strict.claim_broken = policy::Action::fail;
  EXPECT_EQ(given_up(before, without, strict, Outcome::fail).size(), 1U);
  EXPECT_TRUE(given_up(without, before).empty());
}

TEST(Claims, OfTheBaselineAboutANumberCannotBeGivenUp) {
  const auto bounded = [](double limit) {
    auto run = with_claim(around(1e5, 0.001), around(0.5e5, 0.001), record::Relation::at_least, 1, "peak_bytes");
    run.groups[0].claims[0].reference_case.clear();
    run.groups[0].claims[0].limit = limit;
    add_exact(run, "g/one/opt", "peak_bytes", 5000);
    return run;
  };
  EXPECT_TRUE(given_up(bounded(400), bounded(500)).empty());
  EXPECT_EQ(
      given_up(bounded(400), bounded(300)),
      std::vector<std::string>{"at least 400 bytes in the baseline, and 300 bytes now: the change loosened the claim"});
}

TEST(Claims, OfTheBaselineCannotBeMarkedAsNotClaimedOnTheSameMachine) {
  const auto claiming = [](double ratio) {
    return with_claim(around(1e5, 0.001), around(0.87e5, 0.001), record::Relation::at_most, ratio);
  };
  const record::Run before = claiming(0.8);
  record::Run marked = claiming(0.8);
  marked.groups[0].claims[0].not_claimed = "no AMX";
  EXPECT_EQ(given_up(before, marked),
            std::vector<std::string>{
                "claimed in the baseline (limit 0.8) on the same kind of machine, and not claimed now: no AMX"});
  EXPECT_TRUE(given_up(marked, marked).empty()) << "nor was it before";
  policy::Policy strict;
  strict.claim_broken = policy::Action::fail;
  EXPECT_EQ(given_up(before, marked, strict, Outcome::fail).size(), 1U);
  // A wider limit is what is still claimed.
  marked.groups[0].claims.push_back(claiming(0.9).groups[0].claims[0]);
  EXPECT_EQ(given_up(before, marked).size(), 1U);
  EXPECT_TRUE(given_up(claiming(0.9), marked).empty());
}

TEST(Claims, MayBeMarkedAsNotClaimedOnAnotherMachine) {
  const record::Run before = with_claim(around(1e5, 0.001), around(0.5e5, 0.001), record::Relation::at_most, 0.8);
  record::Run marked = before;
  marked.groups[0].claims[0].not_claimed = "no AMX";
  marked.groups[0].claims.push_back(before.groups[0].claims[0]);
  marked.groups[0].claims.back().ratio = 0.9;
  const auto with_capability = [](record::Run run, const std::string& capability) {
    run.machine.facts.push_back({"cpu_capability", capability, "", record::FactClass::warn});
    return run;
  };
  EXPECT_TRUE(given_up(with_capability(before, "AVX512"), with_capability(marked, "AVX2")).empty());
  EXPECT_EQ(given_up(with_capability(before, "AVX2"), with_capability(marked, "AVX2")).size(), 1U);
  record::Run on_gpu = marked;
  on_gpu.machine.device_key = "t4";
  EXPECT_TRUE(given_up(before, on_gpu).empty());
  record::Run unknown = marked;
  unknown.machine.host_key.clear();
  EXPECT_TRUE(given_up(before, unknown).empty());
}

// Of AFTER against stored runs, the nearest first.
std::size_t given_up_since(const std::vector<const record::Run*>& stored, record::Run after) {
  after.id = "ffff";
  gate::Comparison comparison;
  comparison.baseline = stored;
  comparison.current = &after;
  const auto broken = [](const std::vector<reports::ClaimFinding>& claims) {
    return std::count_if(claims.begin(), claims.end(),
                         [](const auto& claim) { return claim.state == ClaimState::broken; });
  };
  const auto found = broken(gate::judge_stored(comparison, policy::Policy{}).value().claims);
  EXPECT_EQ(broken(gate::judge_since(comparison, policy::Policy{}).value().claims), found);
  return static_cast<std::size_t>(found);
}

TEST(Claims, OfAnOlderRunStandWhereTheNewestWasNotAskedForTheirGroup) {
  const record::Run older = with_claim(around(1e5, 0.001), around(0.5e5, 0.001), record::Relation::at_most, 0.8);
  record::Run without = older;
  without.groups[0].claims.clear();
  record::Run other = empty_run("bbbb");
  add_case(other, "g/one/other", around(1e5, 0.001));
  record::Run filtered = other;
  filtered.plan.filter = "other";
  EXPECT_EQ(given_up_since({&older}, without), 1U);
  EXPECT_EQ(given_up_since({&filtered, &older}, without), 1U);
  EXPECT_EQ(given_up_since({&filtered, &older}, older), 0U);
  record::Run unlisted = other;
  record::Process crashed;
  crashed.suite = "h";
  crashed.status = record::ProcessStatus::crashed;
  unlisted.processes.push_back(crashed);
  EXPECT_EQ(given_up_since({&unlisted, &older}, without), 1U);
  EXPECT_EQ(given_up_since({&filtered, &unlisted, &older}, without), 1U);
}

TEST(Claims, ThatANewerStoredRunGaveUpAreNotAskedForAgain) {
  const record::Run oldest = with_claim(around(1e5, 0.001), around(0.5e5, 0.001), record::Relation::at_most, 0.7);
  record::Run without = oldest;
  without.id = "bbbb";
  without.groups[0].claims.clear();
  record::Run filtered = empty_run("cccc");
  add_case(filtered, "g/one/other", around(1e5, 0.001));
  filtered.plan.filter = "other";
  EXPECT_EQ(given_up_since({&without, &oldest}, without), 0U) << "its own gate has judged it";
  EXPECT_EQ(given_up_since({&filtered, &without, &oldest}, without), 0U);
  record::Run removed = filtered;
  removed.plan.filter.clear();
  EXPECT_EQ(given_up_since({&removed, &oldest}, without), 0U) << "the cases were gone";
  record::Run looser = oldest;
  looser.id = "dddd";
  looser.groups[0].claims[0].ratio = 0.9;
  EXPECT_EQ(given_up_since({&filtered, &looser, &oldest}, looser), 0U);
  EXPECT_EQ(given_up_since({&filtered, &looser, &oldest}, without), 1U) << "by one run each";
}

}  // namespace
