// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::cli::testing {
namespace {

class ExplainCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    record::Run before = made_run("aaaaaaaaaaaaaaaa", 1e5);
    gate::testing::add_exact(before, made_case, "operator_calls", 3);
    folder_.save(before, "before");
    record::Run after = made_run("bbbbbbbbbbbbbbbb", 1.3e5);
    gate::testing::add_exact(after, made_case, "operator_calls", 5);
    folder_.save(after, "after");
  }
  ProgramFolder folder_;
};

TEST_F(ExplainCommand, NamesWhatDiffers) {
  const Ran ran = folder_.torchgate({"explain", made_case, "before", "after", "--json", "why.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, made_case));
  EXPECT_TRUE(has(read_text("why.json"), "torchgate.explanation/"));
  EXPECT_EQ(folder_.torchgate({"explain", made_case, "before", "after", "--quiet"}).out, "");
}

TEST_F(ExplainCommand, RefusesBadInput) {
  const Ran unknown = folder_.torchgate({"explain", "g/one/v/cas", "before", "after"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "g/one/v/cas"));
  EXPECT_EQ(folder_.torchgate({"explain", made_case, "before", "nothing"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"explain", made_case, "before"}).code, 2) << "a run of one side alone";
}

TEST_F(ExplainCommand, NamesTheRunsThatItCompares) {
  const Ran ran = folder_.torchgate({"explain", made_case, "before", "after"});
  EXPECT_TRUE(has(ran.out, "aaaaaaaaaaaaaaaa)"));
  EXPECT_TRUE(has(ran.out, "bbbbbbbbbbbbbbbb)"));
}

TEST_F(ExplainCommand, PrefersPairsThatAreNewerThanTheNewestRun) {
  record::Run pairs = pairs_of(made_run("cccccccccccccccc", 1e5), "old", "new");
  const std::string now = pairs.created;
  pairs.created.replace(0, 4, "2025");
  folder_.save(pairs, "pairs");
  EXPECT_EQ(folder_.torchgate({"explain", made_case}).code, 3) << "the newest run has no baseline";
  pairs.created = now;
  pairs.created.back() = 'Z';
  pairs.created.replace(20, 3, "999");
  folder_.save(pairs, "pairs");
  const Ran ran = folder_.torchgate({"explain", made_case});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "old, "));
  EXPECT_TRUE(has(ran.out, "cccccccccccccccc)"));
}

TEST_F(ExplainCommand, ComparesWithTheNearestRunThatHasTheCase) {
  folder_.make_repository();
  const auto stored = [&](const std::string& id, const std::string& created, bool with_case) {
    record::Run run = with_case ? made_run(id, 1e5) : gate::testing::empty_run(id);
    if (!with_case) gate::testing::add_case(run, "g/one/v/other", gate::testing::around(1e5, 0.01));
    run.created = created;
    run.sides.front().source = {folder_.commit(id), false, std::nullopt};
    folder_.save(run, id);
  };
  stored("1111111111111111", "2026-01-01T00:00:00.000Z", true);
  stored("2222222222222222", "2026-01-02T00:00:00.000Z", false);
  for (const char* id : {"1111111111111111", "2222222222222222"})
    ASSERT_EQ(folder_.torchgate({"baseline", "add", id, "--without-objects"}).code, 0);
  stored("3333333333333333", "2026-01-03T00:00:00.000Z", true);
  const Ran ran = folder_.torchgate({"explain", made_case});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "1111111111111111)"));
}

TEST_F(ExplainCommand, HasNoAnswerWithoutABaseline) {
  const Ran ran = folder_.torchgate({"explain", made_case});
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(has(ran.err, "BEFORE AFTER"));
}

}  // namespace
}  // namespace torchgate::cli::testing
