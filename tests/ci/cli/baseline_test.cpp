// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

constexpr const char* id = "aaaaaaaaaaaaaaaa";

class BaselineCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    record::Run run = made_run(id, 1e5);
    folder_.save(run, "uncommitted");
    run.sides.front().source = {std::string(40, '1'), false, std::nullopt};
    folder_.save(run, "committed");
  }
  ProgramFolder folder_;
};

TEST_F(BaselineCommand, AddsListsAndShows) {
  const Ran added = folder_.torchgate({"baseline", "add", "committed", "--without-objects"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_TRUE(has(added.out, std::string(id) + " added in .torchgate/store as a baseline of 111111111111"));
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "add", "committed", "--without-objects"}).out, "already stored in"));

  const Ran listed = folder_.torchgate({"baseline", "list"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_TRUE(has(listed.out, id));
  EXPECT_TRUE(has(listed.out, "host-a"));
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "list", "--json"}).out, "torchgate.baselines/1"));

  const Ran shown = folder_.torchgate({"baseline", "show", id});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "1 case measured"));
}

TEST_F(BaselineCommand, RefusesRunsThatCannotBeABaseline) {
  const Ran added = folder_.torchgate({"baseline", "add", "uncommitted"});
  EXPECT_EQ(added.code, 2);
  EXPECT_TRUE(has(added.err, "commit"));
  EXPECT_EQ(folder_.torchgate({"baseline", "add", "uncommitted", "--uncommitted", "--without-objects"}).code, 0);
  EXPECT_EQ(folder_.torchgate({"baseline", "add", "nothing"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"baseline", "show", "cccc"}).code, 2);
  record::Run imported = made_run("bbbbbbbbbbbbbbbb", 1e5);
  imported.machine.host_key.clear();
  folder_.save(imported, "imported");
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "add", "imported"}).err, "gate --against imported"));
  folder_.save(imported, "my run");
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "add", "my run"}).err, "gate --against 'my run'`"));
  folder_.save(imported, "-b");
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "add", "--", "-b"}).err, "gate --against .torchgate/runs/-b.json`"));
}

TEST_F(BaselineCommand, StoresTheObjectsOfAShardAlone) {
  folder_.make_suite("build", 1000);
  ASSERT_EQ(folder_.torchgate({"run", "--suite", "build", "--shard", "1/2", "--save", "shard"}).code, 0);
  EXPECT_EQ(folder_.torchgate({"baseline", "add", "shard"}).code, 2) << "a shard is not a baseline";
  const Ran kept = folder_.torchgate({"baseline", "add", "shard", "--objects-only"});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_TRUE(has(kept.out, "added")) << kept.out;
  EXPECT_TRUE(std::filesystem::exists(".torchgate/store/objects"));
  EXPECT_FALSE(has(folder_.torchgate({"baseline", "list"}).out, id)) << "no run was added";
  EXPECT_EQ(folder_.torchgate({"baseline", "add", "shard", "--objects-only", "--without-objects"}).code, 2);
}

TEST_F(BaselineCommand, HasNothingToListWithoutAStore) {
  for (const std::vector<std::string>& question : {std::vector<std::string>{"list"}, {"show", id}}) {
    std::vector<std::string> arguments{"baseline"};
    arguments.insert(arguments.end(), question.begin(), question.end());
    const Ran ran = folder_.torchgate(arguments);
    EXPECT_EQ(ran.code, 3) << question.front();
    EXPECT_TRUE(has(ran.err, "baseline add")) << question.front();
  }
}

TEST_F(BaselineCommand, CommandsTakeTheIdOfAStoredRun) {
  const std::vector<std::string> ids{id, "bbbbbbbbbbbbbbbb", "cccccccccccccccc"};
  for (const std::string& each : ids) {
    record::Run run = made_run(each, each == ids[1] ? 1.3e5 : 1e5);
    run.sides.front().source = {std::string(40, each.front()), false, std::nullopt};
    folder_.save(run, "stored");
    ASSERT_EQ(folder_.torchgate({"baseline", "add", "stored", "--without-objects"}).code, 0);
  }
  std::filesystem::remove_all(".torchgate/runs");
  EXPECT_EQ(folder_.torchgate({"report", ids[0]}).code, 0);
  EXPECT_TRUE(has(folder_.torchgate({"report", ids[0], ids[1]}).out, "+30"));
  EXPECT_EQ(folder_.torchgate({"compare", ids[0], ids[1]}).code, 1);
  EXPECT_EQ(folder_.torchgate({"compare", ids[0], ids[1], ids[2]}).code, 1);
  EXPECT_EQ(folder_.torchgate({"gate", ids[1], "--against", ids[0], "--confirm", "none"}).code, 1);
  std::vector<std::string> calibrate{"calibrate"};
  for (const std::string& each : ids) calibrate.insert(calibrate.end(), {"--from", each});
  EXPECT_FALSE(has(folder_.torchgate(calibrate).err, "no run"));
  const Ran unknown = folder_.torchgate({"compare", ids[0], "dddddddddddddddd"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "no run \"dddddddddddddddd\""));
}

TEST_F(BaselineCommand, FindsTheStoreFromASubfolder) {
  ASSERT_EQ(folder_.torchgate({"baseline", "add", "committed", "--without-objects"}).code, 0);
  const std::filesystem::path top = std::filesystem::current_path();
  std::filesystem::create_directory("sub");
  std::filesystem::current_path("sub");
  const Ran without = folder_.torchgate({"baseline", "list"});
  EXPECT_EQ(without.code, 3);
  EXPECT_TRUE(has(without.err, "there is one in " + (top / ".torchgate/store").string()));
  write_text(top / "torchgate.toml", "");
  const Ran beside = folder_.torchgate({"baseline", "list"});
  EXPECT_EQ(beside.code, 0) << beside.err;
  EXPECT_TRUE(has(beside.out, id));
  EXPECT_EQ(folder_.torchgate({"baseline", "list", "--store", ".torchgate/store"}).code, 3) << "as named, from here";
}

TEST_F(BaselineCommand, PushesToADataBranchAndPullsFromIt) {
  folder_.make_repository();
  folder_.git({"init", "--quiet", "--bare", "build.git"});
  folder_.git({"remote", "add", "origin", "build.git"});
  EXPECT_EQ(folder_.torchgate({"baseline", "push"}).code, 3) << "no store";
  const Ran none = folder_.torchgate({"baseline", "pull"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_TRUE(has(none.out, "no data branch yet: origin has no branch torchgate-baselines"));
  const Ran gate = folder_.torchgate({"gate", "committed"});
  EXPECT_NE(gate.code, 0);

  ASSERT_EQ(folder_.torchgate({"baseline", "add", "committed", "--without-objects"}).code, 0);
  const Ran pushed = folder_.torchgate({"baseline", "push"});
  EXPECT_EQ(pushed.code, 0) << pushed.err;
  EXPECT_TRUE(has(pushed.out, "1 run added to branch torchgate-baselines of origin"));
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "push"}).out, "0 runs added"));
  const Ran pulled = folder_.torchgate({"baseline", "pull", "--store", ".torchgate/other"});
  EXPECT_EQ(pulled.code, 0) << pulled.err;
  EXPECT_TRUE(has(pulled.out, "1 run added to .torchgate/other"));
  EXPECT_EQ(folder_.torchgate({"baseline", "pull", "--branch", "a..b"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"baseline", "pull", "--remote", "nowhere"}).code, 2);
  folder_.set("TORCHGATE_BASELINE_BRANCH", "mine");
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "pull"}).out, "no branch mine"));
}

}  // namespace
}  // namespace torchgate::cli::testing
