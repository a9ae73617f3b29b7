// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect_ends.hpp"

#include <gtest/gtest.h>

#include "baselines/open_store.hpp"
#include "ci/workflow/bisect/placing_pairs.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::workflow {
namespace {

using Cases = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

const Cases good{{"g/one", ""}, {"g/two", ""}, {"g/gone", ""}, {"h/gpu", "no CUDA device"}};
const Cases bad{{"g/one", ""}, {"g/two", ""}, {"g/new", ""}, {"h/gpu", "no CUDA device"}};

std::string complaint(const Names& asked) {
  const auto names = cases_of_both(asked, good, bad);
  return names ? "accepted" : names.error().message;
}

TEST(CasesOfBoth, AreNamesOrPatterns) {
  EXPECT_EQ(cases_of_both({"g/two"}, good, bad).value(), (Names{"g/two"}));
  EXPECT_EQ(cases_of_both({"^g/"}, good, bad).value(), (Names{"g/one", "g/two"}));
  EXPECT_EQ(cases_of_both({"two", "g/two", "one"}, good, bad).value(), (Names{"g/one", "g/two"}));
  EXPECT_EQ(cases_of_both({}, good, bad).value(), (Names{"g/one", "g/two"}));
}

TEST(CasesOfBoth, SayWhatIsMissing) {
  EXPECT_NE(complaint({"g/new"}).find("the good commit does not have this case"), std::string::npos);
  EXPECT_NE(complaint({"g/onne"}).find("similar: g/one"), std::string::npos);
  EXPECT_NE(complaint({"g/gone"}).find("no such case exists in both commits"), std::string::npos);
  EXPECT_NE(complaint({"gpu"}).find("can run on this machine"), std::string::npos);
  EXPECT_NE(complaint({"("}).find("invalid regular expression"), std::string::npos);
}

// The bad build as the other end: what is as slow as it differs by nothing, and belongs to the side after the change.
TEST(PlacingPairs, OfEitherEndSayTheSame) {
  const std::vector<ChangedCase> cases{{"g/one", PairNumber::median, 0.05, 0.01}};
  PairsOfCases pairs{{"g/one", {0.05, 0.051, 0.049, 0.052}}};
  EXPECT_EQ(placed(cases, pairs, 24).front().side, stats::SideOfChange::after);
  EXPECT_EQ(placed(cases, pairs, 24).front().pairs, 4);
  EXPECT_EQ(placed(cases, {}, 24).front().side, stats::SideOfChange::undecided);
}

// What the stored runs of both commits say about a slow-down that is not there today.
TEST(StoredDifferences, NameTheFactsOfTheNewestRunOfEachCommit) {
  const base::testing::TemporaryFolder folder;
  policy::Policy policy;
  policy.store = (folder.path() / "store").string();
  const std::string good(40, 'a');
  const std::string bad(40, 'b');
  EXPECT_EQ(stored_differences(policy, good, bad), Names{});
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::create);
  ASSERT_TRUE(store);
  const auto put = [&](const std::string& id, const std::string& commit, const std::string& day,
                       const std::string& kernel) {
    record::Run run = gate::testing::empty_run(id);
    gate::testing::add_case(run, "g/one", {1e5, 1e5});
    run.created = "2026-01-" + day + "T00:00:00.000Z";
    run.sides.front().source = {commit, false, std::nullopt};
    for (record::MachineFact& fact : run.machine.facts)
      if (fact.name == "kernel") fact.value = kernel;
    ASSERT_TRUE((*store)->put(run, true));
  };
  put("1111111111111111", good, "01", "6.1");
  EXPECT_EQ(stored_differences(policy, good, bad), Names{});
  put("2222222222222222", bad, "02", "6.1");
  EXPECT_EQ(stored_differences(policy, good, bad),
            Names{"the stored runs of both commits have the same machine facts"});
  put("3333333333333333", bad, "03", "6.12");
  EXPECT_EQ(stored_differences(policy, good, bad),
            Names{"the stored runs of both commits differ in kernel: \"6.1\" and \"6.12\""});
}

TEST(UnexplainedPart, IsWhatTheCommitLeavesOfTheChangeOfTheEnds) {
  BisectState state;
  state.question.good = std::string(40, 'a');
  state.question.bad = std::string(40, 'b');
  state.changed = {{"g/one", PairNumber::median, 0.095, 0.01}};
  BisectFinding found;
  found.end = BisectEnd::found;
  found.commit = git::ListedCommit{std::string(40, 'c'), "", "", ""};
  found.parent = std::string(40, 'd');
  BisectedCase one{"g/one", "regressed", 0.09, reports::Interval{0.08, 0.1, 0.999}, {}, {}};
  one.slower = true;
  one.at_most = 0.095;
  found.cases = {one};
  EXPECT_FALSE(unexplained_part(found, state, 0.01)) << "the interval has the change of the ends";
  found.cases.front().at_most = 0.086;
  EXPECT_FALSE(unexplained_part(found, state, 0.01)) << "within the margin";
  found.cases.front().at_most = 0.065;
  const auto rest = unexplained_part(found, state, 0.01);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->end, BisectEnd::undecided);
  ASSERT_EQ(rest->cases.size(), 1U);
  EXPECT_EQ(rest->cases.front().reasons,
            Names{"cccccccccccc makes it slower by at most 6.7 %, and the ends differ by 10.0 %; search for the rest "
                  "with --good aaaaaaaaaaaa --bad dddddddddddd and with --good cccccccccccc --bad bbbbbbbbbbbb"});
  found.parent = state.question.good;
  found.commit->commit = state.question.bad;
  EXPECT_EQ(unexplained_part(found, state, 0.01)->cases.front().reasons.front().find("search"), std::string::npos);
}

// Twelve commits of +1.2 % each: the one in the middle is as far from both ends.
TEST(RangeCases, OfACommitOnNeitherSideAreInSeveralCommits) {
  BisectState state;
  state.question.good = std::string(40, 'a');
  state.question.bad = std::string(40, 'b');
  BisectFinding range;
  range.end = BisectEnd::range;
  range.candidates = {{std::string(40, 'c'), "", "", "first"}, {std::string(40, 'd'), "", "", "second"}};
  state.judged.push_back({std::string(40, 'c'), CommitFate::skipped, "", "the build failed", 0, {}});
  BisectFinding unbuilt = range;
  add_range_cases({"g/one"}, state, unbuilt);
  EXPECT_TRUE(unbuilt.between.empty());
  EXPECT_TRUE(unbuilt.cases.front().reasons.empty());
  BisectResult result;
  result.findings = {unbuilt};
  EXPECT_TRUE(bisect_text(result).starts_with(
      "NOT DECIDED: one of these 2 commits; those that are left to test were skipped\n  cccccccccccc"))
      << bisect_text(result);

  state.judged = {{std::string(40, 'c'),
                   CommitFate::measured,
                   "",
                   "",
                   0,
                   {{"g/one", stats::SideOfChange::undecided, 48}, {"g/two", stats::SideOfChange::after, 8}}}};
  BisectFinding spread = range;
  add_range_cases({"g/one"}, state, spread);
  EXPECT_EQ(spread.between, Names{std::string(40, 'c')});
  EXPECT_EQ(spread.cases.front().reasons,
            Names{"search for its parts with --good aaaaaaaaaaaa --bad cccccccccccc and with --good cccccccccccc --bad "
                  "bbbbbbbbbbbb, or use more --step-pairs"});
  result.findings = {spread};
  EXPECT_TRUE(bisect_text(result).starts_with(
      "NOT DECIDED: the slow-down may be in several commits: the pairs of cccccccccccc place it neither with the good "
      "commit nor with the bad one\n  g/one: regressed\n"))
      << bisect_text(result);
  BisectFinding other = range;
  add_range_cases({"g/two"}, state, other);
  EXPECT_TRUE(other.between.empty());
}

TEST(BisectText, NamesTheCommitAndWhatItCost) {
  BisectResult result;
  BisectFinding finding;
  finding.end = BisectEnd::found;
  finding.commit = git::ListedCommit{std::string(40, 'c'), "2026-11-25", "A. Author", "kernels: Drop\nit"};
  finding.cases = {
      {"g/one", "regressed", 0.051, reports::Interval{0.042, 0.06, 0.99902}, {"+2 aten::copy_ per call"}, {}}};
  finding.run = "0123456789abcdef";
  result.findings = {finding};
  result.steps = 5;
  result.pairs = 44;
  result.seconds = 80;
  EXPECT_TRUE(result.decided());
  const std::string text = bisect_text(result);
  EXPECT_EQ(text.substr(0, text.find('\n')), "FOUND cccccccccccc 2026-11-25 A. Author: kernels: Drop it");
  EXPECT_NE(text.find("g/one: regressed, +5.1 % (99.9 % interval +4.2 to +6.0 %)\n    +2 aten::copy_ per call\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("5 steps (0 with a known build, 0 skipped), 44 pairs, 1 min 20 s"), std::string::npos) << text;
  result.findings.front().end = BisectEnd::unconfirmed;
  EXPECT_FALSE(result.decided());
  EXPECT_FALSE(BisectResult{}.decided());
}

}  // namespace
}  // namespace torchgate::workflow
