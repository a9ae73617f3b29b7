// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/pinned_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "baselines/open_store.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow::testing {
namespace {

using base::ErrorCode;
using gate::testing::add_case;
using gate::testing::around;
using gate::testing::empty_run;

// A store with two runs of an old commit, on two hosts, and one of a new commit.
class Pins : public ::testing::Test {
 protected:
  Pins() {
    folder_.make_repository();
    old_commit_ = folder_.commit("old");
    new_commit_ = folder_.commit("new");
    store_ = baselines::open_store("store", baselines::OpenMode::create).value();
    put("1111111111111111", old_commit_, "host-a", "2026-01-01T00:00:00.000Z");
    put("2222222222222222", old_commit_, "host-b", "2026-01-02T00:00:00.000Z");
    put("3333333333333333", new_commit_, "host-a", "2026-01-03T00:00:00.000Z");
    now_.id = "4444444444444444";
  }

  record::Run put(const std::string& id, const std::string& commit, const std::string& host, const std::string& created,
                  const std::vector<std::string>& cases = {"g/one/v"}, const std::string& profile = "default") {
    record::Run run = empty_run(id);
    for (const std::string& name : cases) add_case(run, name, around(1e5, 0.002));
    run.plan.profile = profile;
    run.created = created;
    run.machine.host_key = host;
    run.sides.front().source = {commit, false, std::nullopt};
    const auto added = store_->put(run, true);
    EXPECT_TRUE(added) << added.error().message;
    return run;
  }
  [[nodiscard]] base::Result<baselines::Pin> pin(const std::string& name, std::optional<std::string> commit,
                                                 bool move = false) {
    PinRequest request;
    request.name = name;
    request.commit = std::move(commit);
    request.move = move;
    request.now = clock_ += std::chrono::seconds(1);
    return add_pin(*store_, request);
  }

  WorkingFolder folder_;
  std::string old_commit_;
  std::string new_commit_;
  std::unique_ptr<baselines::Store> store_;
  record::Run now_ = empty_run("4444444444444444");
  std::chrono::system_clock::time_point clock_ = std::chrono::system_clock::now() - std::chrono::hours(1);
};

TEST_F(Pins, NamesAllRunsOfACommitNewestFirst) {
  const auto added = pin("v1", old_commit_.substr(0, 8));
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->commit, old_commit_);
  EXPECT_EQ(added->runs, (std::vector<std::string>{"2222222222222222", "1111111111111111"}));
  EXPECT_FALSE(added->tool_version.empty());
  EXPECT_EQ(pin("v2", std::nullopt)->commit, new_commit_) << "HEAD";
  EXPECT_EQ(store_->pin("v1").value(), *added);
}

TEST_F(Pins, NamesOneRun) {
  PinRequest request;
  request.name = "v1";
  request.run = "1111";
  EXPECT_EQ(add_pin(*store_, request)->runs, std::vector<std::string>{"1111111111111111"});
  request.name = "v2";
  request.run = "9999";
  EXPECT_EQ(add_pin(*store_, request).error().code, ErrorCode::not_found);
}

TEST_F(Pins, AnExistingNameIsMovedOnlyWhenAsked) {
  ASSERT_TRUE(pin("v1", old_commit_));
  const auto again = pin("v1", new_commit_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::bad_input);
  EXPECT_NE(again.error().message.find("move it with --move"), std::string::npos) << again.error().message;
  EXPECT_EQ(pin("v1", new_commit_, true)->commit, new_commit_);
  ASSERT_TRUE(remove_pin(*store_, "v1", clock_ += std::chrono::seconds(1)));
  EXPECT_EQ(remove_pin(*store_, "v1").error().code, ErrorCode::not_found);
  EXPECT_TRUE(pin("v1", old_commit_)) << "free again";
}

TEST_F(Pins, ACommitWithoutARunIsNotPinned) {
  const std::string newest = folder_.commit("newest");
  EXPECT_EQ(pin("v1", std::nullopt).error().code, ErrorCode::no_verdict);
  EXPECT_EQ(pin("v1", "no-such-branch").error().code, ErrorCode::not_found);
  EXPECT_EQ(pin("../v1", old_commit_).error().code, ErrorCode::bad_input);
}

TEST_F(Pins, TheRunOfThisMachineIsTheOneToMeasureFrom) {
  ASSERT_TRUE(pin("v1", old_commit_));
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, "1111111111111111");
  now_.machine.host_key = "host-b";
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, "2222222222222222");
  now_.machine.host_key = "host-c";
  const auto elsewhere = pinned_run(*store_, "v1", now_);
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::no_verdict);
  put("5555555555555555", old_commit_, "host-c", "2026-02-01T00:00:00.000Z");
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, "5555555555555555") << "added after the pin, of the same commit";
  now_.id = "5555555555555555";
  const auto itself = pinned_run(*store_, "v1", now_);
  ASSERT_FALSE(itself);
  EXPECT_EQ(itself.error().code, ErrorCode::no_verdict);
  EXPECT_NE(itself.error().message.find("run 5555555555555555, which is judged, is the only stored run of its commit"),
            std::string::npos)
      << itself.error().message;
}

TEST_F(Pins, OfSeveralRunsTheOneThatSharesMostIsCompared) {
  const std::string part = "5555555555555555";
  const std::string full = "6666666666666666";
  const std::string quick = "7777777777777777";
  for (const char* name : {"g/one/v", "g/one/w", "g/one/x"}) add_case(now_, name, around(1e5, 0.002));
  now_.cases.back().skipped = "no CUDA device";
  put(full, old_commit_, "host-a", "2026-02-01T00:00:00.000Z", {"g/one/v", "g/one/w"});
  put(part, old_commit_, "host-a", "2026-02-02T00:00:00.000Z");
  put(quick, old_commit_, "host-a", "2026-02-03T00:00:00.000Z", {"g/one/v", "g/one/w"}, "quick");
  ASSERT_TRUE(pin("v1", old_commit_));
  const auto chosen = pinned_run(*store_, "v1", now_);
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->run.id, full);
  EXPECT_EQ(chosen->notes,
            std::vector<std::string>{"pin v1 has 4 runs of this machine: run " + full +
                                     " is compared, which measured 2 of 2 cases of this run; not used: " + quick +
                                     " (2), " + part + " (1), 1111111111111111 (1)"});
  now_.plan.profile = "quick";
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, quick) << "its own profile first";
  now_.plan.profile = "default";
  now_.cases.pop_back();
  now_.cases.pop_back();
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, part) << "the newest of equals";
}

TEST_F(Pins, CasesThatOnlyAnotherRunOfThePinHasAreNamed) {
  for (const char* name : {"g/one/v", "g/one/w", "g/one/x"}) add_case(now_, name, around(1e5, 0.002));
  put("5555555555555555", old_commit_, "host-a", "2026-02-01T00:00:00.000Z", {"g/one/w", "g/one/x"});
  ASSERT_TRUE(pin("v1", old_commit_));
  const auto chosen = pinned_run(*store_, "v1", now_);
  EXPECT_EQ(chosen->run.id, "5555555555555555");
  ASSERT_EQ(chosen->notes.size(), 2U);
  EXPECT_EQ(chosen->notes[1], "1 case of this run was measured at the pin, but not in run 5555555555555555: g/one/v");
}

TEST_F(Pins, APinnedRunIsPreferredAndNeverComparedWithItself) {
  ASSERT_TRUE(pin("v1", old_commit_));
  put("6666666666666666", old_commit_, "host-a", "2026-02-01T00:00:00.000Z");
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, "1111111111111111");
  now_.id = "1111111111111111";
  EXPECT_EQ(pinned_run(*store_, "v1", now_)->run.id, "6666666666666666");
  const auto unknown = pinned_run(*store_, "v3", now_);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
  EXPECT_NE(unknown.error().message.find("; existing pins: v1"), std::string::npos) << unknown.error().message;
}

}  // namespace
}  // namespace torchgate::workflow::testing
