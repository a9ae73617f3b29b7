// SPDX-License-Identifier: Apache-2.0
// What a clone tells a site about its commits, with a real repository.
#include "ci/workflow/site/site_commits.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

/// A case of ten runs, of these commits in their order, that became slower with run 5.
reports::Site slower_site(const std::vector<std::string>& commits) {
  reports::History history;
  history.case_name = "g/one";
  history.metric = {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  history.judged = true;
  history.smallest_change = 0.01;
  for (std::size_t i = 0; i < commits.size(); ++i)
    history.runs.push_back({"run", "2026-01-1" + std::to_string(i) + "T00:00:00.000Z", commits[i], 1, 5, false, {}});
  reports::HistoryChange change;
  change.run = 5;
  change.before = 1;
  change.after = 1.2;
  change.change = 0.2;
  change.worse = true;
  history.changes = {change};
  reports::Site site;
  site.hosts = {{"host-a", commits.size(), history.runs.back().created, {history}}};
  return site;
}

class SiteCommits : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_repository();
    for (int i = 0; i < 10; ++i) all_.push_back(folder_.commit("content " + std::to_string(i)));
  }

  /// Runs of every commit but two: those between the runs before and after the change.
  [[nodiscard]] std::vector<std::string> measured() const {
    std::vector<std::string> commits(all_.begin(), all_.begin() + 5);
    commits.insert(commits.end(), all_.begin() + 7, all_.end());
    return commits;
  }

  [[nodiscard]] static reports::Site filled(reports::Site site) {
    const auto repository = git::Repository::open(".");
    EXPECT_TRUE(repository);
    add_commits(site, *repository);
    return site;
  }

  testing::WorkingFolder folder_;
  std::vector<std::string> all_;
};

TEST_F(SiteCommits, BetweenTheRunsOfAChange) {
  const auto commits = measured();
  const reports::Site site = filled(slower_site(commits));
  ASSERT_EQ(site.ranges.size(), 1U);
  const auto& [ends, range] = *site.ranges.begin();
  EXPECT_EQ(ends, std::pair(commits[4], commits[5]));
  EXPECT_EQ(range.count, 3);
  EXPECT_FALSE(range.has_more);
  EXPECT_EQ(range.commits, (std::vector<std::string>{all_[7], all_[6], all_[5]}));
  for (const std::string& commit : range.commits) EXPECT_TRUE(site.commits.contains(commit)) << commit;
}

TEST_F(SiteCommits, AddressesReleasesAndFirstDaysOfWaivers) {
  folder_.git({"remote", "add", "origin", "git@github.com:example/project.git"});
  folder_.git({"tag", "v1.0", all_[3]});
  reports::Site given = slower_site(measured());
  given.waivers = {{"g/one", "time", all_[8].substr(0, 10), "", "2026-12-31", 0.3, "of an abbreviated commit"},
                   {"g/one", "time", std::string(40, '0'), "", "2026-12-31", 0.3, "of a commit of another clone"},
                   {"g/one", "time", "", "", "2026-12-31", 0.3, "of none"}};
  const reports::Site site = filled(given);
  EXPECT_EQ(site.commit_address, "https://github.com/example/project/commit/");
  EXPECT_EQ(site.compare_address, "https://github.com/example/project/compare/");
  EXPECT_EQ(site.releases.at(all_[3]), "v1.0");
  EXPECT_EQ(site.waivers[0].commit, all_[8]);
  EXPECT_EQ(site.waivers[0].from, site.commits.at(all_[8]).day);
  EXPECT_EQ(site.waivers[0].from.size(), 10U);
  EXPECT_EQ(site.waivers[1].from, "");
  EXPECT_EQ(site.waivers[2].from, "");
}

/// Of a waiver of one commit, COMMIT, that a case has which became slower at RUN: where it accepts a change.
std::set<std::string> accepted_changes(const std::vector<std::string>& runs, std::size_t run, const std::string& commit,
                                       const std::string& case_name = "g/one") {
  reports::Site site = slower_site(runs);
  site.hosts[0].histories[0].changes[0].run = run;
  site.waivers = {{case_name, "time", commit, "", "2026-12-31", 0.3, "of a comment", true, {}}};
  add_commits(site, git::Repository::open(".").value());
  return site.waivers[0].changes_at;
}

TEST_F(SiteCommits, AWaiverOfOneCommitAcceptsTheChangeOfTheMergeOfThatCommit) {
  folder_.git({"checkout", "-q", "-b", "side"});
  static_cast<void>(folder_.commit("slower"));
  const std::string accepted = git::Repository::open(".").value().head().value().commit;
  folder_.git({"checkout", "-q", "-"});
  folder_.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
  std::vector<std::string> runs(all_.begin() + 5, all_.end());
  runs.push_back(git::Repository::open(".").value().head().value().commit);
  for (int i = 0; i < 4; ++i) runs.push_back(folder_.commit("later " + std::to_string(i)));
  EXPECT_EQ(accepted_changes(runs, 5, accepted), (std::set<std::string>{runs[5]}));
  EXPECT_EQ(accepted_changes(runs, 5, runs[5]), (std::set<std::string>{runs[5]}));
  // A change is found up to two runs off, and no further.
  EXPECT_EQ(accepted_changes(runs, 3, accepted), (std::set<std::string>{runs[3]}));
  EXPECT_EQ(accepted_changes(runs, 7, accepted), (std::set<std::string>{runs[7]}));
  EXPECT_TRUE(accepted_changes(runs, 2, accepted).empty());
  EXPECT_TRUE(accepted_changes(runs, 8, accepted).empty());
  EXPECT_TRUE(accepted_changes(runs, 5, accepted, "g/two").empty());
  EXPECT_TRUE(accepted_changes(runs, 5, std::string(40, 'f')).empty());
}

TEST_F(SiteCommits, ARunOfAReleaseBranchBeforeTheChangeDoesNotMakeAnOldCommitNew) {
  folder_.git({"checkout", "-q", "-b", "release", all_[0]});
  const std::string of_release = folder_.commit("on the release branch");
  std::vector<std::string> runs = all_;
  runs[2] = of_release;
  EXPECT_TRUE(accepted_changes(runs, 5, all_[1]).empty());
  // It is not in the runs of the branch after the change, either.
  runs = all_;
  runs[6] = runs[7] = of_release;
  EXPECT_EQ(accepted_changes(runs, 5, all_[5]), (std::set<std::string>{runs[5]}));
}

TEST_F(SiteCommits, AcceptsOnlyWhatIsKnown) {
  const std::string unknown(40, 'e');
  std::vector<std::string> runs = all_;
  runs[2] = unknown;
  // It came with one of the runs 2 to 5: all of them are near run 4, and run 2 is not near run 5.
  runs[3] = runs[4] = unknown;
  EXPECT_EQ(accepted_changes(runs, 4, all_[5]), (std::set<std::string>{unknown}));
  EXPECT_TRUE(accepted_changes(runs, 5, all_[5]).empty());
  // Before the first run nothing is known.
  EXPECT_TRUE(accepted_changes(all_, 1, all_[0]).empty());
  EXPECT_EQ(accepted_changes(all_, 1, all_[1]), (std::set<std::string>{all_[1]}));
}

TEST_F(SiteCommits, OfAnotherRepositoryNothingIsKnown) {
  std::vector<std::string> commits(10, std::string(40, '1'));
  for (std::size_t i = 5; i < commits.size(); ++i) commits[i] = std::string(40, '2');
  const reports::Site site = filled(slower_site(commits));
  EXPECT_TRUE(site.ranges.empty());
  EXPECT_TRUE(site.commits.empty());
  EXPECT_TRUE(site.commit_address.empty());
}

}  // namespace
}  // namespace torchgate::workflow
