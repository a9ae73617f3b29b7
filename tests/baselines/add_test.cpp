// SPDX-License-Identifier: Apache-2.0
#include "baselines/add.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "baselines/folder_store.hpp"
#include "baselines/read_file_limits.hpp"
#include "baselines/restore_files.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

class AddRun : public ::testing::Test {
 protected:
  void expect_refused(const record::Run& run, const std::string& because, const std::string& advice,
                      const AddOptions& options = {}) {
    const auto added = add_run(*store_, run, options);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::bad_input);
    EXPECT_NE(added.error().message.find(because), std::string::npos) << added.error().message;
    EXPECT_NE(added.error().message.find(advice), std::string::npos) << added.error().message;
    EXPECT_TRUE(store_->list({}).value().empty());
  }

  record::LoadedObject object(const std::string& name, const std::string& content, bool system = false) {
    const auto path = scratch_.path() / "build" / name;
    write(path, content);
    return {path.string(),
            name,
            static_cast<std::int64_t>(content.size()),
            0,
            0,
            base::sha256(content),
            name.find(".so") == std::string::npos,
            system};
  }

  [[nodiscard]] bool is_kept(const std::string& content) {
    const auto out = scratch_.path() / "out";
    fs::remove(out);
    return store_->get_object(base::sha256(content), out).ok();
  }

  base::testing::TemporaryFolder scratch_;
  std::unique_ptr<Store> store_ = open_folder_store(scratch_.path() / "store", OpenMode::create).value();
};

const AddOptions for_nobody{false, true, {}};

// Without the executable the run cannot be repeated; "0 objects kept" alone would hide that.
TEST_F(AddRun, RefusesASuiteWhoseExecutableIsUnknown) {
  auto run = sample_run(1);
  run.processes[0].objects.clear();
  expect_refused(run, "the executable of its suite fusion is unknown", "--without-objects");
  run.objects[0].executable = false;  // a library that was seen is not enough
  run.processes[0].objects = {0};
  expect_refused(run, "the executable of its suite fusion is unknown", "measure longer");
  AddOptions without;
  without.keep_objects = false;
  EXPECT_TRUE(add_run(*store_, run, without));
}

TEST_F(AddRun, OneProcessThatWasSeenIsEnough) {
  auto run = sample_run(1);
  auto second = run.processes[0];
  second.index = 1;
  second.objects.clear();
  run.processes.push_back(second);
  EXPECT_TRUE(add_run(*store_, run, {}));
}

TEST_F(AddRun, TakesACleanRunAsItsCommitsBaseline) {
  const auto added = add_run(*store_, sample_run(1), {});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->run, PutOutcome::added);
  EXPECT_EQ(store_->list({}).value().at(0).commit, commit("c0ffee").substr(0, 12));
  EXPECT_EQ(add_run(*store_, sample_run(1), {}).value().run, PutOutcome::already_there);
}

TEST_F(AddRun, RefusesAModifiedTreeAsBaselineOfItsCommit) {
  auto run = sample_run(1);
  run.sides[0].source.modified = true;
  expect_refused(run, "modified", "commit first");
  expect_refused(run, commit("c0ffee"), "torchgate compare");
  run.sides[0].source.modified_files = {"version.h"};
  expect_refused(run, "its work tree was modified (version.h), so", "untrack files that the build writes");
  run.sides[0].source.modified_files = {"a", "b", "c", "d"};
  expect_refused(run, "(a, b, c and others)", "commit first");
  ASSERT_TRUE(add_run(*store_, run, for_nobody));
  EXPECT_EQ(store_->list({}).value().at(0).commit, std::nullopt);
}

TEST_F(AddRun, AcceptsATreeThatIsNotKnownToBeModified) {
  auto run = sample_run(1);
  run.sides[0].source.modified.reset();
  EXPECT_TRUE(add_run(*store_, run, {})) << "the commit was named by the user or the CI, from a tree without .git";
}

TEST_F(AddRun, RefusesARunWithoutACommitAsBaseline) {
  auto run = sample_run(1);
  run.sides[0].source = {};
  expect_refused(run, "not tied to a commit", "torchgate run --save NAME");
  EXPECT_TRUE(add_run(*store_, run, for_nobody));
}

TEST_F(AddRun, RefusesHalfARunAndTwo) {
  auto interrupted = sample_run(1);
  interrupted.interrupted = true;
  expect_refused(interrupted, "interrupted", "run it again");
  expect_refused(interrupted, "interrupted", "run it again", for_nobody);
  auto shard = sample_run(1);
  shard.plan.shards = 2;
  expect_refused(shard, "some shards are missing", "torchgate merge", for_nobody);
  auto partly = sample_run(1);
  partly.plan.division = {{"a"}, {"b"}};
  partly.plan.missing_shards = {2};
  expect_refused(partly, "some shards are missing", "torchgate merge");
  auto paired = sample_run(1);
  paired.sides = {{"before", {}, {}}, {"after", {}, {}}};
  expect_refused(paired, "2 sides", "torchgate run");
  expect_refused(paired, "2 sides", "torchgate run", for_nobody);
  auto sideless = sample_run(1);
  sideless.sides.clear();
  expect_refused(sideless, "0 sides", "torchgate run");
}

TEST_F(AddRun, RefusesARunInWhichNothingWasMeasured) {
  auto crashed = sample_run(1);
  crashed.processes[0].status = record::ProcessStatus::crashed;
  crashed.processes[0].cases.clear();
  expect_refused(crashed, "no case", "run it again");
  auto failed = sample_run(1);
  failed.processes[0].cases[0].status = record::CaseStatus::failed;
  failed.processes[0].cases[0].measurements.clear();
  expect_refused(failed, "no case", "run it again");
  auto nothing = sample_run(1);
  nothing.processes.clear();
  expect_refused(nothing, "no case", "run it again");
}

TEST_F(AddRun, TakesARunOfCountsAlone) {
  auto counted = sample_run(1);
  record::Metric& metric = counted.cases[0].metrics[0];
  metric.name = "operator_calls";
  metric.kind = record::MetricKind::exact;
  metric.unit = "1";
  metric.primary = false;
  record::Measurement calls;
  calls.metric = metric.name;
  calls.value = 12;
  counted.processes[0].cases[0].measurements = {calls};
  const auto added = add_run(*store_, counted, for_nobody);
  EXPECT_TRUE(added) << added.error().message;
}

TEST_F(AddRun, TakesARunInWhichAnotherProcessCrashed) {
  auto run = sample_run(1);
  auto crashed = run.processes[0];
  crashed.index = 1;
  crashed.status = record::ProcessStatus::crashed;
  crashed.exit_code.reset();
  crashed.signal = 11;
  crashed.cases.clear();
  run.processes.push_back(crashed);
  const auto added = add_run(*store_, run, {});
  EXPECT_TRUE(added) << added.error().message;
}

TEST_F(AddRun, KeepsExecutablesAndLibrariesButNotTheSystems) {
  auto run = sample_run(1);
  run.objects = {object("fusion", "executable"), object("libtorch.so", "torch"), object("libc.so.6", "libc", true),
                 object("libtorch-again.so", "torch")};
  const auto added = add_run(*store_, run, {});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->objects_added, 2U);
  EXPECT_TRUE(added->not_kept.empty());
  EXPECT_TRUE(is_kept("executable"));
  EXPECT_TRUE(is_kept("torch"));
  EXPECT_FALSE(is_kept("libc"));

  auto next = sample_run(2);
  next.objects = {object("fusion", "executable 2"), object("libtorch.so", "torch")};
  const auto again = add_run(*store_, next, {}).value();
  EXPECT_EQ(again.objects_added, 1U);
  EXPECT_EQ(again.objects_already_there, 1U);
}

TEST_F(AddRun, KeepsTheFilesOfTheWorkTreeThatSuitesRead) {
  const auto tree = scratch_.path() / "tree";
  const auto add = [&](record::Run& run, const fs::path& path, const std::string& content,
                       const std::string& recorded) {
    write(path, content);
    run.files.push_back({path.string(), base::sha256(recorded)});
  };
  auto run = sample_run(1);
  add(run, tree / "data" / "model.txt", "model", "model");
  add(run, tree / "data" / "changed.txt", "changed since", "as it was read");
  add(run, scratch_.path() / "home" / "secret", "secret", "secret");
  fs::create_symlink(scratch_.path() / "home" / "secret", tree / "link");
  run.files.push_back({(tree / "link").string(), base::sha256("secret")});
  run.files.push_back({(tree / "data" / "missing").string(), ""});
  run.files.push_back({"$HOME", base::sha256("/home/x")});
  write(tree / "large.bin", "");
  fs::resize_file(tree / "large.bin", largest_kept_file_bytes + 1);
  run.files.push_back({(tree / "large.bin").string(), base::sha256_of_file(tree / "large.bin").value()});
  AddOptions options;
  EXPECT_EQ(add_run(*store_, run, options)->files_kept, 0U) << "no folder was given";
  options.keep_files_below = tree;
  const auto added = add_run(*store_, run, options);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->files_kept, 1U);
  EXPECT_TRUE(is_kept("model"));
  EXPECT_FALSE(is_kept("changed since"));
  EXPECT_FALSE(is_kept("secret"));
  EXPECT_EQ(add_objects(*store_, run, tree)->files_kept, 1U);

  // Restored where its content is another one, or it is gone.
  run.processes.front().files = std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6};
  const std::set<std::string> suites{run.processes.front().suite};
  const auto restored = [&](const std::string& folder) {
    return restore_files(*store_, run, suites, scratch_.path() / folder).value();
  };
  EXPECT_TRUE(restored("unchanged").map.empty());
  const std::string model = (tree / "data" / "model.txt").string();
  write(model, "another model");
  const auto other = restored("other");
  EXPECT_EQ(other.contents, (std::map<std::string, std::string>{{model, base::sha256("model")}}));
  ASSERT_EQ(other.files.size(), 1U);
  EXPECT_EQ(base::sha256_of_file(other.files.front().path).value(), base::sha256("model"));
  EXPECT_EQ(base::read_file(other.map, 1 << 10).value(), other.files.front().path.string() + '\t' + model + '\n');
  fs::remove(model);
  EXPECT_EQ(restored("gone").contents, other.contents);
  run.files.push_back({model, base::sha256("a second content")});
  run.processes.front().files->push_back(7);
  EXPECT_TRUE(restored("several").map.empty());
  EXPECT_TRUE(restore_files(*store_, run, {"another"}, scratch_.path() / "suite")->map.empty());
}

TEST_F(AddRun, KeepsNoObjectsWhenToldSo) {
  auto run = sample_run(1);
  run.objects = {object("fusion", "executable")};
  const auto added = add_run(*store_, run, {true, false, {}});
  ASSERT_TRUE(added);
  EXPECT_EQ(added->objects_added, 0U);
  EXPECT_FALSE(is_kept("executable"));
}

TEST_F(AddRun, SaysWhichObjectsItCouldNotKeepAndTakesTheRun) {
  auto run = sample_run(1);
  run.objects = {object("rebuilt", "as it ran"), object("gone", "gone"), object("unhashed", "x")};
  write(run.objects[0].path, "rebuilt since");
  fs::remove(run.objects[1].path);
  run.objects[2].sha256.clear();
  const auto added = add_run(*store_, run, {});
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_EQ(added->not_kept.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NE(added->not_kept[i].find(run.objects[i].path), std::string::npos) << added->not_kept[i];
  EXPECT_EQ(store_->list({}).value().size(), 1U);
}

TEST_F(AddRun, AFullOrReadOnlyStoreIsAnErrorAndNoRunIsAdded) {
  auto run = sample_run(1);
  run.objects = {object("fusion", "executable")};
  write(scratch_.path() / "store" / "objects", "a file where the folder should be");
  const auto added = add_run(*store_, run, {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::io);
  EXPECT_TRUE(store_->list({}).value().empty()) << "a listed run has its objects";
}

}  // namespace
}  // namespace torchgate::baselines::testing
