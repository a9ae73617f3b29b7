// SPDX-License-Identifier: Apache-2.0
// The shards of one plan, measured one after the other, as one run.
#include <gtest/gtest.h>

#include "ci/workflow/workspace/workspace.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

class MergeCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_suite("build", 1000);
    folder_.set("FAKE_GROUPS", "ok,also");
    const Ran planned = run({"--shards", "2", "--shard-plan", "plan.json"});
    ASSERT_EQ(planned.code, 0) << planned.err;
    EXPECT_TRUE(has(planned.out, "plan.json: 2 groups in 2 shards"));
    for (const char* shard : {"1/2", "2/2"}) {
      const Ran measured =
          run({"--shard", shard, "--shard-plan", "plan.json", "--save", std::string("shard") + shard[0]});
      ASSERT_EQ(measured.code, 0) << measured.err;
      EXPECT_TRUE(has(measured.out, std::string("shard ") + shard[0] + " of 2"));
    }
  }
  [[nodiscard]] Ran run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", "--suite", "build", "--processes", "2", "--allow-noisy"});
    return folder_.torchgate(more);
  }
  ProgramFolder folder_;
};

TEST_F(MergeCommand, MakesOneRunOfAllShards) {
  const Ran merged = folder_.torchgate({"merge", "shard2", "shard1", "--save", "whole"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_TRUE(has(merged.out, "4 cases of 4 processes from 2 of 2 shards"));
  const auto whole = workflow::Workspace().load("whole");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->groups.size(), 2U);
}

TEST_F(MergeCommand, TheMergedRunIsTheNewest) {
  const auto newest = [] { return workflow::Workspace().newest().value(); };
  EXPECT_EQ(newest().plan.shard, 2);
  ASSERT_EQ(folder_.torchgate({"merge", "shard2", "--save", "a_part"}).code, 3);
  ASSERT_EQ(folder_.torchgate({"merge", "shard2", "shard1", "--save", "whole"}).code, 0);
  ASSERT_EQ(folder_.torchgate({"merge", "shard2", "--save", "the_part_again"}).code, 3);
  EXPECT_EQ(newest().id, workflow::Workspace().load("whole").value().id);
  ASSERT_EQ(run({"--shard", "1/2", "--shard-plan", "plan.json", "--save", "again"}).code, 0);
  EXPECT_EQ(newest().id, workflow::Workspace().load("again").value().id) << "it was not merged";
}

TEST_F(MergeCommand, HasNoVerdictWithoutAllShards) {
  const Ran merged = folder_.torchgate({"merge", "shard1", "--save", "part"});
  EXPECT_EQ(merged.code, 3) << merged.err;
  EXPECT_TRUE(has(merged.err, "INCOMPLETE"));
  EXPECT_TRUE(workflow::Workspace().load("part")) << "what was measured is kept";
}

TEST_F(MergeCommand, SaysWhatMeasuresAShard) {
  const Ran ran = folder_.torchgate({"merge", "shard1", "shard3"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "no run \"shard3\": "));
  EXPECT_TRUE(has(ran.err, "; measure a shard with `torchgate run` or `torchgate ab` and --shard I/N"));
}

TEST_F(MergeCommand, RefusesBadInput) {
  EXPECT_EQ(folder_.torchgate({"merge", "shard1", "nothing"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"merge", "shard1", "shard1"}).code, 2);
  folder_.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "whole");
  EXPECT_EQ(folder_.torchgate({"merge", "whole"}).code, 2) << "a run that is not a shard";
}

TEST_F(MergeCommand, ThePlanDecidesForAllShards) {
  const Ran ran = run({"--shard", "1/2", "--shard-plan", "plan.json", "--quick"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "--quick"));
}

}  // namespace
}  // namespace torchgate::cli::testing
