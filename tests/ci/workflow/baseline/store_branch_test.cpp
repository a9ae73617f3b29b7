// SPDX-License-Identifier: Apache-2.0
// Pulling and pushing a store, with a real bare repository beside the working folder. Nothing here sleeps: waits are counted.
#include "ci/workflow/baseline/store_branch.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "baselines/folder_store.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

class StoreBranchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_repository();
    folder_.git({"init", "--quiet", "--bare", "origin.git"});
    folder_.git({"remote", "add", "origin", "./origin.git"});
  }

  /// The branch as a store in the folder NAME sees it.
  [[nodiscard]] StoreBranch branch(const std::string& name) {
    StoreBranch where;
    where.branch = "data";
    where.store = name;
    where.variable = [](const char*) { return std::string(); };
    where.repetition.wait = [this](std::chrono::milliseconds time) {
      waits_.push_back(time);
      if (while_waiting_) while_waiting_();
      return base::Result<void>();
    };
    return where;
  }
  static void put(const std::string& store, const std::string& id, bool of_commit = true) {
    record::Run run = gate::testing::empty_run(id);
    gate::testing::add_case(run, "g/one/v/case", gate::testing::around(1e5, 0.01));
    run.sides.front().source = {std::string(40, '1'), false, std::nullopt};
    const auto added = baselines::open_folder_store(store, baselines::OpenMode::create).value()->put(run, of_commit);
    ASSERT_TRUE(added) << added.error().message;
  }
  static std::size_t runs(const std::string& store) {
    return baselines::open_folder_store(store, baselines::OpenMode::existing).value()->list({}).value().size();
  }
  [[nodiscard]] static PushReport pushed(const StoreBranch& where) {
    auto report = push_store(where, 0);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : PushReport{};
  }
  [[nodiscard]] static PullReport pulled(const StoreBranch& where) {
    auto report = pull_store(where);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : PullReport{};
  }
  static void hook(const std::string& name, const std::string& script) {
    write_text("origin.git/hooks/" + name, "#!/bin/sh\n" + script + "\n");
    fs::permissions("origin.git/hooks/" + name, fs::perms::all);
  }
  static void lock() { write_text("origin.git/refs/heads/data.lock", ""); }
  static void unlock() { fs::remove("origin.git/refs/heads/data.lock"); }

  WorkingFolder folder_;
  std::vector<std::chrono::milliseconds> waits_;
  std::function<void()> while_waiting_;
};

constexpr const char* first = "aaaaaaaaaaaaaaaa";
constexpr const char* second = "bbbbbbbbbbbbbbbb";
constexpr const char* third = "cccccccccccccccc";

TEST_F(StoreBranchTest, CarriesTheRunsOfOneStoreToAnother) {
  put("one", first);
  put("one", third, /*of_commit=*/false);
  put("two", second);
  const auto missing = pulled(branch("empty"));
  EXPECT_FALSE(missing.branch_exists);
  EXPECT_EQ(runs("empty"), 0U) << "a store that the gate can open";

  EXPECT_EQ(pushed(branch("one")).runs_added, 1U) << "the run of no commit is not a baseline";
  EXPECT_EQ(pushed(branch("two")).runs_added, 1U);
  const auto again = pushed(branch("two"));
  EXPECT_EQ(again.runs_added, 0U);
  EXPECT_EQ(again.pushes, 0);
  EXPECT_EQ(again.runs_already_there, 1U);

  const auto all = pulled(branch("one"));
  EXPECT_EQ(all.runs_added, 1U);
  EXPECT_EQ(all.runs_already_there, 1U);
  EXPECT_EQ(runs("one"), 3U);
  EXPECT_EQ(pulled(branch("one")).files_added, 0U);
  EXPECT_EQ(pulled(branch("new")).runs_added, 2U);
  EXPECT_EQ(pushed(branch("new")).runs_added, 0U) << "what was pulled is the same";
  EXPECT_TRUE(waits_.empty());
}

TEST_F(StoreBranchTest, TriesAgainWhenAnotherPushWon) {
  put("one", first);
  static_cast<void>(pushed(branch("one")));
  put("two", second);
  put("three", third);
  while_waiting_ = [&] {
    unlock();
    while_waiting_ = {};
    static_cast<void>(pushed(branch("three")));
  };
  lock();
  const auto report = pushed(branch("two"));
  EXPECT_EQ(report.pushes, 2);
  EXPECT_EQ(report.runs_added, 1U);
  EXPECT_EQ(waits_.size(), 1U);
  EXPECT_EQ(pulled(branch("all")).runs_added, 3U);
}

TEST_F(StoreBranchTest, GivesUpWithoutLosingAnything) {
  put("one", first);
  put("two", second);
  static_cast<void>(pushed(branch("one")));
  lock();
  const auto report = push_store(branch("two"), 0);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::io);
  for (const char* part : {"in 20 attempts", "the runs are still in two", "`torchgate baseline push` again"})
    EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
  ASSERT_EQ(waits_.size(), 20U);
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    const auto longest =
        std::min(std::chrono::milliseconds(200 << std::min<std::size_t>(i, 10)), std::chrono::milliseconds(6'400));
    EXPECT_GE(waits_[i], longest / 2) << i;
    EXPECT_LE(waits_[i], longest) << i;
  }
  unlock();
  EXPECT_EQ(pushed(branch("two")).runs_added, 1U);
}

TEST_F(StoreBranchTest, AnAnswerThatWasLostIsLookedUp) {
  put("one", first);
  hook("post-receive", "kill -9 $PPID");  // after the branch was moved
  const auto report = pushed(branch("one"));
  EXPECT_EQ(report.runs_added, 1U);
  EXPECT_EQ(waits_.size(), 1U);
  EXPECT_FALSE(report.commit.has_value());
  hook("pre-receive", "kill -9 $PPID");  // before
  put("one", second);
  waits_.clear();
  EXPECT_FALSE(push_store(branch("one"), 0));
  EXPECT_EQ(waits_.size(), 3U);
}

TEST_F(StoreBranchTest, ARefusalIsNotRepeated) {
  put("one", first);
  hook("update", "echo protected >&2; exit 1");
  const auto report = push_store(branch("one"), 0);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("protected"), std::string::npos) << report.error().message;
  EXPECT_TRUE(waits_.empty());
}

TEST_F(StoreBranchTest, LimitsAreCheckedBeforeFilesAreRead) {
  put("one", first);
  static_cast<void>(pushed(branch("one")));
  for (const char* part : {"files, at most 1", "has ", "bytes are new, at most 10"}) {
    StoreBranch where = branch("two");
    if (std::string(part) == "files, at most 1") where.limits.files = 1;
    if (std::string(part) == "has ") where.limits.file_bytes = 100;
    if (std::string(part) == "bytes are new, at most 10") where.limits.total_bytes = 10;
    const auto report = pull_store(where);
    ASSERT_FALSE(report) << part;
    EXPECT_EQ(report.error().code, ErrorCode::bad_input);
    EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    EXPECT_FALSE(fs::exists("two"));
  }
}

TEST_F(StoreBranchTest, StoredFilesNeverChange) {
  put("one", first);
  static_cast<void>(pushed(branch("one")));
  static_cast<void>(pulled(branch("two")));
  fs::path record;
  for (const auto& file : fs::recursive_directory_iterator("two/runs"))
    if (file.path().extension() == ".json") record = file.path();
  write_text(record, read_text(record) + "\n");
  put("two", second);
  for (const auto& error : {pull_store(branch("two")).error(), push_store(branch("two"), 0).error()}) {
    EXPECT_EQ(error.code, ErrorCode::bad_input);
    EXPECT_NE(error.message.find(record.string() + ", and stored files never change"), std::string::npos)
        << error.message;
  }
  fs::remove(record);
  EXPECT_EQ(pulled(branch("two")).runs_added, 1U);
  EXPECT_EQ(pushed(branch("two")).runs_added, 1U);
}

TEST_F(StoreBranchTest, ADamagedRecordIsNotPushed) {
  put("one", first);
  for (const auto& file : fs::recursive_directory_iterator("one/runs"))
    if (file.path().extension() == ".json") write_text(file.path(), read_text(file.path()).substr(0, 300));
  const auto report = push_store(branch("one"), 0);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(pulled(branch("two")).branch_exists);
}

TEST_F(StoreBranchTest, PushesFromNoPullRequestAndNoMissingStore) {
  EXPECT_EQ(push_store(branch("missing"), 0).error().code, ErrorCode::no_verdict);
  put("one", first);
  StoreBranch where = branch("one");
  where.variable = [](const char* name) {
    const std::string text = name;
    return std::string(text == "GITHUB_EVENT_NAME" ? "pull_request" : text == "GITHUB_BASE_REF" ? "main" : "");
  };
  EXPECT_EQ(push_store(where, 0).error().code, ErrorCode::bad_input);
  EXPECT_FALSE(pull_store(where)->branch_exists);
}

TEST_F(StoreBranchTest, WorksOutsideOfARepositoryWithALocation) {
  put("one", first);
  static_cast<void>(pushed(branch("one")));
  fs::rename(".git", "git");
  folder_.set("GIT_CEILING_DIRECTORIES", fs::current_path().parent_path());
  EXPECT_EQ(pull_store(branch("two")).error().code, ErrorCode::not_found);
  StoreBranch where = branch("two");
  where.remote = "./origin.git";
  EXPECT_EQ(pulled(where).runs_added, 1U);
}

}  // namespace
}  // namespace torchgate::workflow::testing
