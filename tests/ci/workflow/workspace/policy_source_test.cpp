// SPDX-License-Identifier: Apache-2.0
// Whose policy is in force; tests/e2e/policy_test.sh has every CI system.
#include "ci/workflow/workspace/policy_source.hpp"

#include <gtest/gtest.h>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

using testing::WorkingFolder;
using testing::write_text;

const PolicyChoice judging{std::nullopt, {}, std::nullopt, true};

TEST(PolicySource, FlagsWinOverEnvironmentOverFile) {
  WorkingFolder folder;
  EXPECT_EQ(load_policy({}).value().pairs, policy::Policy{}.pairs);
  write_text("torchgate.toml", "[gate]\npairs = 11\n");
  EXPECT_EQ(load_policy({}).value().pairs, 11);
  folder.set("TORCHGATE_GATE_PAIRS", "12");
  EXPECT_EQ(load_policy({}).value().pairs, 12);
  EXPECT_EQ(load_policy({std::nullopt, {{"gate.pairs", "13"}}, std::nullopt, false}).value().pairs, 13);
}

TEST(PolicySource, FindsTheFileUpwardsOrByName) {
  const WorkingFolder folder;
  write_text("torchgate.toml", "[gate]\npairs = 11\n");
  write_text("other.toml", "[gate]\npairs = 22\n");
  EXPECT_EQ(load_policy({"other.toml", {}, std::nullopt, false}).value().pairs, 22);
  const auto missing = load_policy({"nothing.toml", {}, std::nullopt, false});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "--config nothing.toml: no such file");
  const std::filesystem::path beside = std::filesystem::current_path() / ".torchgate/store";
  EXPECT_EQ(load_policy({}).value().store, ".torchgate/store");
  std::filesystem::create_directories("deeper/still");
  std::filesystem::current_path("deeper/still");
  EXPECT_EQ(load_policy({}).value().pairs, 11);
  EXPECT_EQ(load_policy({}).value().store, beside.string());
  EXPECT_EQ(load_policy({std::nullopt, {{"baseline.store", "here"}}, std::nullopt, false}).value().store, "here");
}

TEST(PolicySource, AChangeIsJudgedByItsBase) {
  WorkingFolder folder;
  folder.make_repository();
  write_text("torchgate.toml", "[gate]\npairs = 11\n");
  folder.git({"add", "torchgate.toml"});
  static_cast<void>(folder.commit("base"));
  folder.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
  write_text("torchgate.toml", "[gate]\npairs = 4\n");
  EXPECT_EQ(load_policy(judging).value().pairs, 4) << "at a desk";
  PolicyChoice named = judging;
  named.from = "HEAD";
  EXPECT_EQ(load_policy(named).value().pairs, 11);
  folder.set("GITHUB_BASE_REF", "main");
  const auto judged = load_policy(judging);
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_EQ(judged->pairs, 11);
  ASSERT_EQ(judged->doubts.size(), 1U);
  EXPECT_NE(judged->doubts[0].find("gate.pairs"), std::string::npos) << judged->doubts[0];
  EXPECT_EQ(load_policy({}).value().pairs, 4) << "what judges nothing";
}

// The job that judges a pull request fetches commits and checks nothing out.
TEST(PolicySource, WhereNothingIsCheckedOutTheChangeIsThatOfHead) {
  WorkingFolder folder;
  folder.make_repository();
  write_text("torchgate.toml", "[gate]\npairs = 11\n");
  folder.git({"add", "torchgate.toml"});
  static_cast<void>(folder.commit("base"));
  folder.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
  PolicyChoice named = judging;
  named.from = "refs/remotes/origin/main";
  std::filesystem::remove("torchgate.toml");
  std::filesystem::remove(".git/index");
  EXPECT_TRUE(load_policy(named).value().doubts.empty()) << load_policy(named).value().doubts[0];
  write_text("torchgate.toml", "[gate]\npairs = 4\n");
  folder.git({"add", "torchgate.toml"});
  static_cast<void>(folder.commit("change"));
  std::filesystem::remove("torchgate.toml");
  std::filesystem::remove(".git/index");
  const auto judged = load_policy(named);
  ASSERT_EQ(judged.value().doubts.size(), 1U);
  EXPECT_NE(judged->doubts[0].find("gate.pairs 11 -> 4"), std::string::npos) << judged->doubts[0];
  EXPECT_EQ(judged->pairs, 11);
}

TEST(PolicySource, WaiversOfTheCallerHoldInAPullRequest) {
  WorkingFolder folder;
  folder.make_repository();
  const std::string waiver =
      "[[waiver]]\ncase = \"a\"\nmetric = \"time\"\nreason = \"r\"\nexpires = 2999-01-31\nceiling = ";
  write_text("torchgate-waivers.toml", waiver + "0.1\n");
  folder.git({"add", "torchgate-waivers.toml"});
  static_cast<void>(folder.commit("base"));
  folder.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
  folder.set("GITHUB_BASE_REF", "main");
  write_text("torchgate-waivers.toml", waiver + "0.9\n");
  write_text("one.toml", waiver + "0.2\nby = \"ann\"\n");
  write_text("two.toml", waiver + "0.3\n");
  EXPECT_EQ(load_policy(judging)->waivers.at(0).ceiling, 0.1);
  PolicyChoice choice = judging;
  choice.waiver_files = {"one.toml"};
  const auto policy = load_policy(choice);
  ASSERT_TRUE(policy) << policy.error().message;
  ASSERT_EQ(policy->waivers.size(), 1U);
  EXPECT_EQ(policy->waivers[0].ceiling, 0.2);
  EXPECT_EQ(policy->waivers[0].by, "ann");
  EXPECT_TRUE(policy->waivers[0].one_commit);
  EXPECT_EQ(policy->notes.back(), "--waivers one.toml: 1 waiver for this commit");
  write_text("of_a_commit.toml", waiver + "0.2\ncommit = \"" + std::string(40, 'c') + "\"\n");
  choice.waiver_files = {"of_a_commit.toml"};
  EXPECT_EQ(load_policy(choice)->notes.back(),
            "--waivers of_a_commit.toml: 1 waiver accepted for commit " + std::string(12, 'c'));
  EXPECT_EQ(policy->doubts.size(), 1U) << "the change's own waiver is still said";
  choice.waiver_files = {"one.toml", "two.toml"};
  EXPECT_EQ(load_policy(choice)->waivers.at(0).ceiling, 0.3) << "the later file";
  for (const char* wrong : {"none.toml", ".", "torchgate.toml"}) {
    write_text("torchgate.toml", "[gate]\n");
    choice.waiver_files = {wrong};
    EXPECT_FALSE(load_policy(choice)) << wrong;
  }
}

TEST(PolicySource, AChangeIsMeasuredByItsBase) {
  WorkingFolder folder;
  folder.make_repository();
  std::filesystem::create_directories("bench");
  std::filesystem::create_directories("moved");
  write_text("torchgate.toml", "[run]\nprocesses = 7\nsuites = [\"bench\", \"old\"]\n");
  folder.git({"add", "torchgate.toml"});
  static_cast<void>(folder.commit("base"));
  folder.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
  PolicyChoice measuring = judging;
  measuring.measures = true;
  for (const char* weaker :
       {"processes = 1", "total_limit_s = 0.05", "group_limit_s = 0.01", "threads = 2", "allocator = \"system\""}) {
    write_text("torchgate.toml",
               std::string("[run]\n") + weaker + "\nsuites = [\"moved\"]\n[baseline]\nstore = \"mine\"\n");
    folder.set("GITHUB_BASE_REF", "");
    EXPECT_FALSE(load_policy(measuring)->of_base) << "at a desk";
    EXPECT_EQ(load_policy(measuring)->store, (std::filesystem::current_path() / "mine").string());
    folder.set("GITHUB_BASE_REF", "main");
    const auto policy = load_policy(measuring);
    ASSERT_TRUE(policy) << policy.error().message;
    EXPECT_TRUE(policy->of_base);
    EXPECT_EQ(policy->processes, 7);
    EXPECT_EQ(policy->threads, 1);
    EXPECT_EQ(policy->total_limit_s, policy::Policy{}.total_limit_s);
    EXPECT_EQ(policy->group_limit_s, policy::Policy{}.group_limit_s);
    EXPECT_EQ(policy->store, policy::Policy{}.store);
    // What the change no longer names is measured as long as it exists; what it adds is, too.
    const auto here = std::filesystem::canonical(".");
    EXPECT_EQ(policy->suites, (std::vector<std::string>{(here / "bench").string(), (here / "moved").string()}));
    ASSERT_EQ(policy->doubts.size(), 2U);
    EXPECT_NE(policy->doubts[0].find("it applies after the merge"), std::string::npos) << policy->doubts[0];
    EXPECT_NE(policy->doubts[1].find("old, which this change removes"), std::string::npos) << policy->doubts[1];
  }
}

// A container of another user, or one without git: the run continues with a warning; judging is refused.
TEST(PolicySource, WithoutGitMeasuringWorksAndJudgingFails) {
  WorkingFolder folder;
  folder.make_repository();
  write_text("torchgate.toml", "[run]\nprocesses = 7\n");
  folder.set("PATH", std::filesystem::current_path().string());
  const auto judged = load_policy(judging);
  ASSERT_FALSE(judged);
  EXPECT_NE(judged.error().message.find("no folder of PATH has it: install git"), std::string::npos);
  EXPECT_EQ(judged.error().message.find("detached merge commit"), std::string::npos) << judged.error().message;
  PolicyChoice measuring = judging;
  measuring.measures = true;
  const auto measured = load_policy(measuring);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(measured->processes, 7);
  EXPECT_EQ(measured->doubts.size(), 1U);
}

TEST(PolicySource, ABaseThatCannotBeReadIsAnError) {
  WorkingFolder folder;
  folder.make_repository();
  folder.set("GITHUB_BASE_REF", "main");
  const auto unknown = load_policy(judging);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(unknown.error().message.find("refs/remotes/origin/main"), std::string::npos) << unknown.error().message;
}

}  // namespace
}  // namespace torchgate::workflow
