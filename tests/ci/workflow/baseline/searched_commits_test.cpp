// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/searched_commits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "baselines/open_store.hpp"
#include "ci/git/remote.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow::testing {
namespace {

using Commits = std::vector<std::string>;

// first -- p -- merged -- next    main
//     \ f1 -- f2 /                feature; f1 and f2 are newer than p
class SearchedCommitsTest : public ::testing::Test {
 protected:
  SearchedCommitsTest() {
    folder_.make_repository();
    first_ = hash("HEAD");
    folder_.git({"checkout", "--quiet", "-b", "feature"});
    folder_.git({"checkout", "--quiet", "main"});
    p_ = commit(1);
    folder_.git({"checkout", "--quiet", "feature"});
    f1_ = commit(2);
    f2_ = commit(3);
    folder_.git({"checkout", "--quiet", "main"});
    merged_ = merge("feature", 4);
  }

  std::string commit(int minute) {
    at(minute);
    folder_.git({"commit", "--quiet", "--allow-empty", "-m", "made"});
    return hash("HEAD");
  }
  std::string merge(const std::string& branch, int minute) {
    at(minute);
    folder_.git({"merge", "--quiet", "--no-ff", "-m", "merge", branch});
    return hash("HEAD");
  }
  void at(int minute) { folder_.set("GIT_COMMITTER_DATE", "2040-01-01T10:0" + std::to_string(minute) + ":00Z"); }
  static std::string hash(const std::string& name) { return git::Repository::open(".")->resolve(name).value(); }

  static SearchedCommits of(const std::string& commit, const std::string& folder = ".") {
    return searched_commits(git::Repository::open(folder).value(), commit, git::environment_variable).value();
  }
  static Commits line_of(const std::string& commit) {
    const auto searched = of(commit);
    return {searched.commits.begin(), searched.commits.begin() + static_cast<std::ptrdiff_t>(searched.line)};
  }

  WorkingFolder folder_;
  std::string first_, p_, f1_, f2_, merged_;
};

TEST_F(SearchedCommitsTest, FollowTheFirstParentsWhateverIsCheckedOut) {
  EXPECT_EQ(line_of(merged_), (Commits{p_, first_}));
  EXPECT_EQ(of(merged_).commits, (Commits{p_, first_})) << "not what the commit itself merged";
  const std::string next = commit(5);
  EXPECT_EQ(line_of(merged_), (Commits{p_, first_}));
  EXPECT_EQ(line_of(next), (Commits{next, merged_, p_, first_}));
  EXPECT_EQ(of(next).commits, (Commits{next, merged_, p_, first_, f2_, f1_}));
}

TEST_F(SearchedCommitsTest, GoOverToTheTargetBranchWhereItWasMergedIntoTheChange) {
  const std::string next = commit(5);
  folder_.git({"checkout", "--quiet", "-b", "topic", p_});
  const std::string t1 = commit(6);
  const std::string update = merge(next, 7);
  const std::string t2 = commit(8);
  EXPECT_EQ(line_of(t2), (Commits{t2, update, t1, p_, first_})) << "neither branch is known to be the target";
  folder_.git({"update-ref", "refs/remotes/origin/main", next});
  folder_.set("CI_DEFAULT_BRANCH", "main");
  EXPECT_EQ(line_of(t2), (Commits{t2, update, t1, next, merged_, p_, first_}));
  folder_.set("CI_DEFAULT_BRANCH", "");
  folder_.set("GITHUB_EVENT_PATH", "event.json");
  write_text("event.json", R"({"repository": {"id": 1, "default_branch": "main"}})");
  EXPECT_EQ(line_of(t2), (Commits{t2, update, t1, next, merged_, p_, first_}));
  folder_.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"});
  folder_.set("GITHUB_EVENT_PATH", "");
  EXPECT_EQ(line_of(t2), (Commits{t2, update, t1, next, merged_, p_, first_}));
  // refs/pull/N/merge, as GitHub makes it.
  folder_.git({"checkout", "--quiet", "--detach", next});
  const std::string pull = merge(t2, 9);
  EXPECT_EQ(line_of(pull), (Commits{next, merged_, p_, first_}));
  folder_.set("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
  EXPECT_EQ(line_of(pull), (Commits{next, merged_, p_, first_}));
}

// As behind that merge: the newest state of main that the change has.
TEST_F(SearchedCommitsTest, BeginAtAnUpdateOfTheChange) {
  const std::string next = commit(5);
  folder_.git({"checkout", "--quiet", "-b", "topic", p_});
  const std::string t1 = commit(6);
  const std::string update = merge(next, 7);
  EXPECT_EQ(line_of(update), (Commits{t1, p_, first_})) << "no branch is known to be the target";
  folder_.git({"update-ref", "refs/remotes/origin/main", next});
  folder_.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"});
  EXPECT_EQ(line_of(update), (Commits{t1, next, merged_, p_, first_}));
  const Commits all = of(update).commits;
  EXPECT_EQ(std::count(all.begin(), all.end(), update), 0);
  folder_.set("CI_COMMIT_BEFORE_SHA", t1);
  EXPECT_EQ(line_of(update), (Commits{t1, next, merged_, p_, first_})) << "a push of the branch";
  folder_.set("CI_COMMIT_BEFORE_SHA", "");
  // The other way round it is a merge into main, also where main is fetched later.
  EXPECT_EQ(line_of(merged_), (Commits{p_, first_}));
  folder_.git({"update-ref", "refs/remotes/origin/main", p_});
  EXPECT_EQ(line_of(merged_), (Commits{p_, first_}));
}

// GitLab and Jenkins check the change's own commit out: what the target branch lacks is never the baseline.
TEST_F(SearchedCommitsTest, BeginWhereAPullRequestLeftItsTarget) {
  const std::string next = commit(5);
  folder_.git({"checkout", "--quiet", "-b", "topic", p_});
  const std::string t1 = commit(6);
  folder_.git({"checkout", "--quiet", "-b", "other", p_});
  const std::string o1 = commit(7);
  folder_.git({"checkout", "--quiet", "topic"});
  const std::string joined = merge("other", 8);
  folder_.set("CHANGE_ID", "7");
  EXPECT_EQ(of(t1).commits, (Commits{p_, first_})) << "the target is not known: only its own commit is left out";
  folder_.set("CHANGE_TARGET", "main");
  folder_.git({"update-ref", "refs/remotes/origin/main", next});
  EXPECT_EQ(of(t1).commits, (Commits{p_, first_}));
  EXPECT_EQ(of(joined).commits, (Commits{p_, first_})) << "a merge in the change";
  const std::string t2 = commit(9);
  EXPECT_EQ(of(t2).commits, (Commits{p_, first_})) << "nothing of the branches that the change merged";
  const std::string update = merge("main", 9);
  EXPECT_EQ(line_of(update), (Commits{next, merged_, p_, first_}));
  EXPECT_EQ(line_of(commit(9)), (Commits{next, merged_, p_, first_}));
  EXPECT_EQ(of(next).commits.front(), next) << "the target lacks nothing";
}

// refs/pull/N/merge was made of a newer commit of the target than the clone's reference has.
TEST_F(SearchedCommitsTest, BelieveTheMergeThatTheSystemMade) {
  const std::string next = commit(5);
  folder_.git({"checkout", "--quiet", "-b", "topic", p_});
  commit(6);
  folder_.git({"checkout", "--quiet", "--detach", next});
  const std::string pull = merge("topic", 7);
  folder_.git({"update-ref", "refs/remotes/origin/main", p_});
  folder_.set("GITHUB_EVENT_NAME", "pull_request");
  folder_.set("GITHUB_BASE_REF", "main");
  EXPECT_EQ(line_of(pull), (Commits{p_, first_}));
  folder_.set("GITHUB_SHA", pull);
  EXPECT_EQ(line_of(pull), (Commits{next, merged_, p_, first_}));
}

// The run of p is not fetched: one of the merged branch would be taken for it.
TEST_F(SearchedCommitsTest, StayOnTheLineWhereAShallowCloneCutsIt) {
  const std::string next = commit(5);
  folder_.git({"clone", "--quiet", "--depth=2", "file://" + std::filesystem::current_path().string(), "build"});
  EXPECT_EQ(of(next, "build").commits, (Commits{next, merged_}));
  EXPECT_EQ(of(next, "build").line, 2U);
  EXPECT_TRUE(of(next, "build").shallow);
  EXPECT_EQ(searched_commits(git::Repository::open("build").value(), merged_, git::environment_variable).error().code,
            base::ErrorCode::bad_input);
}

TEST_F(SearchedCommitsTest, RunsOfAMergedBranchComeBehindThoseOfTheLine) {
  const auto store = baselines::open_store(".torchgate/store", baselines::OpenMode::create).value();
  const auto made = [](const std::string& id, const std::string& commit) {
    record::Run run = gate::testing::empty_run(id);
    run.sides.front().source = {commit, false, std::nullopt};
    return run;
  };
  ASSERT_TRUE(store->put(made("00000000000000f1", f1_), true));
  ASSERT_TRUE(store->put(made("00000000000000f2", f2_), true));
  const record::Run next = made("00000000000000cc", commit(5));
  const auto of_branch = choose_baseline(*store, next);
  ASSERT_TRUE(of_branch) << of_branch.error().message;
  EXPECT_EQ(of_branch->runs.front().id, "00000000000000f2") << "no other run exists";
  ASSERT_EQ(of_branch->doubts.size(), 1U);
  EXPECT_NE(of_branch->doubts[0].find("the nearest run of a branch that was merged into it is of"), std::string::npos);
  ASSERT_TRUE(store->put(made("00000000000000aa", p_), true));
  const auto of_line = choose_baseline(*store, next);
  ASSERT_EQ(of_line->runs.size(), 1U) << "not pooled with the merged ones";
  EXPECT_EQ(of_line->runs.front().id, "00000000000000aa");
  const auto of_merge = choose_baseline(*store, made("00000000000000dd", merged_));
  EXPECT_EQ(of_merge->runs.front().id, "00000000000000aa");
}

}  // namespace
}  // namespace torchgate::workflow::testing
