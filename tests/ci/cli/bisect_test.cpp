// SPDX-License-Identifier: Apache-2.0
// `bisect` over commits whose times are certain: found, nothing to find, bad input. A whole history is in tests/e2e/bisect_test.sh.
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;

// The build copies the suite and appends the commit's level, as a compiler would.
class BisectCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_repository();
    for (const int level : {1000, 1000, 1000, 1100, 1100, 1100}) {
      const std::string number = std::to_string(commits_.size());
      commits_.push_back(folder_.commit("\ncommit " + number + "\nFAKE_LEVEL=" + std::to_string(level) + "\n"));
    }
  }
  [[nodiscard]] Ran bisect(std::vector<std::string> more) const {
    more.insert(more.begin(), {"bisect", "--build",
                               std::string("! grep -q broken code && mkdir -p build && cp ") + TORCHGATE_FAKE_SUITE +
                                   " build/fake && cat code >>build/fake",
                               "--suites", "build", "--pairs", "12", "--allow-noisy"});
    return folder_.torchgate(more);
  }
  ProgramFolder folder_;
  std::vector<std::string> commits_;
};

TEST_F(BisectCommand, NamesTheCommit) {
  const Ran ran = bisect({fake_case, "--good", commits_.front(), "--bad", commits_.back(), "--json", "answer.json"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "FOUND " + commits_[3].substr(0, 12)));
  EXPECT_TRUE(has(ran.out, std::string("  ") + fake_case + ": regressed, +"));
  EXPECT_TRUE(has(ran.err, "step 1 of about "));
  EXPECT_TRUE(has(read_text("answer.json"), "\"commit\": \"" + commits_[3] + "\""));
  EXPECT_FALSE(fs::exists(".torchgate/work_trees")) << "the work trees are gone";
  const Ran again = folder_.torchgate({"bisect", "--resume"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.err, "no unfinished bisection"));
  const Ran other_metric = folder_.torchgate({"bisect", "--resume", "--device-metric", "time"});
  EXPECT_EQ(other_metric.code, 2);
  EXPECT_FALSE(has(other_metric.err, "no unfinished bisection")) << "refused before: it keeps its metric";
}

// Not after an hour of pairs.
TEST_F(BisectCommand, RefusesAnAnswerThatCannotBeWrittenBeforeItBuilds) {
  const Ran ran =
      bisect({fake_case, "--good", commits_.front(), "--bad", commits_.back(), "--json", "missing/answer.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "missing"));
  EXPECT_FALSE(has(ran.err, "building")) << ran.err;
  EXPECT_FALSE(fs::exists(".torchgate/bisect"));
}

TEST_F(BisectCommand, CountsTheCasesOfAStep) {
  const Ran ran = bisect({"^fake/ok/", "--good", commits_.front(), "--bad", commits_.back()});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, " is as slow as the bad commit in 2 cases ("));
}

// Only the first calls became slower.
TEST_F(BisectCommand, SeesFirstCallsWithFewOfWarmUp) {
  folder_.set("FAKE_COLD", "1");
  const std::vector<std::string> ends{"--good", commits_.front(), "--bad", commits_.back()};
  EXPECT_EQ(bisect(ends).code, 3);
  std::vector<std::string> few = ends;
  few.insert(few.end(), {"--warmup", "1", "--samples", "7"});
  const Ran ran = bisect(few);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "FOUND " + commits_[3].substr(0, 12)));
  EXPECT_TRUE(has(read_text(".torchgate/bisect/state.json"), "\"warmup_calls\": 1")) << "kept for --resume";
  EXPECT_EQ(folder_.torchgate({"bisect", "--resume", "--warmup", "1"}).code, 2);
}

TEST_F(BisectCommand, MeasuresAsTheRunOfItsReport) {
  folder_.set("FAKE_COLD", "1");
  folder_.make_suite("build1", 1000);
  folder_.make_suite("build2", 1100);
  EXPECT_EQ(folder_
                .torchgate({"ab", "--before", "build1", "--after", "build2", "--pairs", "12", "--allow-noisy",
                            "--warmup", "1", "--full", "--json", "report.json"})
                .code,
            1);
  const Ran ran = bisect({"--from", "report.json", "--good", commits_.front(), "--bad", commits_.back()});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "FOUND " + commits_[3].substr(0, 12)));
  const std::string state = read_text(".torchgate/bisect/state.json");
  EXPECT_TRUE(has(state, "\"profile\": \"full\"")) << "or it has not the cases that only a --full run has";
  EXPECT_TRUE(has(state, "\"warmup_calls\": 1"));
  EXPECT_FALSE(has(state, "\"samples\""));
}

TEST_F(BisectCommand, HasNoAnswerWhereBothEndsAreEquallyFast) {
  const Ran ran = bisect({fake_case, "--good", commits_[0], "--bad", commits_[2], "--json", "answer.json"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "NO SLOW-DOWN: the bad commit is not slower than the good one today"));
  EXPECT_TRUE(has(read_text("answer.json"), "\"no_change\""));
}

// Two slow-downs are not one: the commit found explains a part, and the answer is open.
TEST_F(BisectCommand, SaysWhatTheCommitDoesNotExplain) {
  std::vector<std::string> commits;
  for (const int level : {1000, 1035, 1035, 1100, 1100})
    commits.push_back(
        folder_.commit("\nstep " + std::to_string(commits.size()) + "\nFAKE_LEVEL=" + std::to_string(level) + "\n"));
  const Ran ran = bisect({fake_case, "--good", commits.front(), "--bad", commits.back(), "--json", "answer.json"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "FOUND " + commits[3].substr(0, 12)));
  EXPECT_TRUE(has(ran.out, "NOT DECIDED: " + commits[3].substr(0, 12) + " explains only a part of the slow-down"));
  EXPECT_TRUE(has(
      ran.out, "search for the rest with --good " + commits[0].substr(0, 12) + " --bad " + commits[2].substr(0, 12)));
  EXPECT_TRUE(has(read_text("answer.json"), "\"undecided\""));
}

// A merge brings the slow commit; the main line, which is measured, repaired the build that its parent breaks.
TEST_F(BisectCommand, EndsWhereTheParentDoesNotBuild) {
  const std::string good = folder_.commit("\ngood\nFAKE_LEVEL=1000\n");
  const std::string broken = folder_.commit("\nbroken\n");
  folder_.git({"checkout", "--quiet", "-b", "topic"});
  write_text("code", "\nslow\nFAKE_LEVEL=1100\n");
  folder_.git({"commit", "--quiet", "-a", "-m", "slow"});
  folder_.git({"checkout", "--quiet", "main"});
  for (int i = 0; i < 4; ++i)  // so many that the first commits tested are of the main line
    static_cast<void>(folder_.commit("\nrepaired " + std::to_string(i) + "\nFAKE_LEVEL=1000\n"));
  folder_.git({"merge", "--quiet", "--no-ff", "-X", "theirs", "-m", "merged", "topic"});
  const Ran ran = bisect({fake_case, "--good", good, "--bad", "main"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out,
                  ": slow, and it is not confirmed: it could not be compared with its parent " + broken.substr(0, 12)));
  EXPECT_TRUE(has(ran.out, "was not compared with its parent " + broken.substr(0, 12) + ": "));
  EXPECT_EQ(folder_.torchgate({"bisect", "--resume"}).code, 2) << "it is finished";
}

TEST_F(BisectCommand, RefusesBadInput) {
  EXPECT_EQ(folder_.torchgate({"bisect"}).code, 2);
  EXPECT_EQ(bisect({"--good", commits_[0]}).code, 2);
  EXPECT_EQ(bisect({"--good", "nowhere", "--bad", commits_[1]}).code, 2);
  const Ran order = bisect({"--good", commits_[5], "--bad", commits_[0]});
  EXPECT_EQ(order.code, 2);
  EXPECT_TRUE(has(order.err, "swap --good and --bad"));
  const Ran unknown = bisect({"fake/ok/eagre/device:cpu", "--good", commits_[0], "--bad", commits_[1]});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, fake_case));
  const Ran from = bisect({"--from", "nothing.json", "--good", commits_[0], "--bad", commits_[1]});
  EXPECT_EQ(from.code, 2);
  EXPECT_TRUE(has(from.err, "name a file written with --json by --from FILE"));
  EXPECT_FALSE(fs::exists(".torchgate/work_trees"));
}

}  // namespace
}  // namespace torchgate::cli::testing
