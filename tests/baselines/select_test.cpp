// SPDX-License-Identifier: Apache-2.0
#include "baselines/select.hpp"

#include <gtest/gtest.h>

#include "baselines/folder_store.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

/// History, newest first: a4 a3 a2 a1 a0. Runs are added with growing numbers, so later numbers are later runs.
class SelectBaseline : public ::testing::Test {
 protected:
  void add(unsigned number, const std::string& of_commit) {
    ASSERT_TRUE(store_->put(sample_run(number, of_commit), true));
  }

  static SelectRequest request() {
    SelectRequest request;
    request.host_key = host;
    for (const char* digits : {"a4", "a3", "a2", "a1", "a0"}) request.commits.push_back(commit(digits));
    return request;
  }

  static std::vector<std::string> ids(const Selection& selection) {
    std::vector<std::string> all;
    for (const auto& run : selection.runs) all.push_back(run.id);
    return all;
  }

  void expect_none(const SelectRequest& request, ErrorCode code, const std::vector<std::string>& parts) {
    const auto selected = select_baseline(*store_, request);
    ASSERT_FALSE(selected);
    EXPECT_EQ(selected.error().code, code);
    for (const auto& part : parts)
      EXPECT_NE(selected.error().message.find(part), std::string::npos) << selected.error().message;
  }

  base::testing::TemporaryFolder scratch_;
  std::unique_ptr<Store> store_ = open_folder_store(scratch_.path() / "store", OpenMode::create).value();
};

TEST_F(SelectBaseline, TheCommitThatWasAskedFor) {
  add(1, commit("a4"));
  const auto selection = select_baseline(*store_, request()).value();
  EXPECT_EQ(ids(selection), std::vector{id(1)});
  EXPECT_EQ(selection.commit, commit("a4"));
  EXPECT_EQ(selection.wanted, commit("a4"));
  EXPECT_FALSE(selection.substituted);
  EXPECT_EQ(selection.sentence, "run 0000000000000001 of a40000000000 (2026-11-20)");
}

// "No run is stored" would make users measure an existing baseline again, and hide that a file is damaged.
TEST_F(SelectBaseline, ADamagedRunIsNotAMissingOne) {
  add(1, commit("a4"));
  std::string damaged;
  for (const auto& file : fs::recursive_directory_iterator(scratch_.path() / "store" / "runs"))
    if (file.path().extension() == ".json") damaged = file.path().string();
  write(damaged, read(damaged).substr(0, 200));
  expect_none(request(), ErrorCode::bad_input, {damaged, "no readable run of these commits in the store", "restore"});
  // The older one may be as slow as the run to be judged.
  add(2, commit("a3"));
  expect_none(request(), ErrorCode::no_verdict,
              {"the nearest stored run cannot be used", damaged, "restore", "`--against RUN`"});
  add(3, commit("a4"));
  EXPECT_EQ(ids(select_baseline(*store_, request()).value()), (std::vector{id(3), id(2)})) << "of the same commit";
}

TEST_F(SelectBaseline, ADamagedRunOfThisHostIsNotReplacedByAnOlderOneOfAnother) {
  add(1, commit("a4"));
  write(scratch_.path() / "store" / "runs" / host / "20261120T000001.250Z-a40000000000-0000000000000001.json", "{");
  auto elsewhere = sample_run(2, commit("a3"));
  elsewhere.machine.host_key = other_host;
  ASSERT_TRUE(store_->put(elsewhere, true));
  auto pairs = request();
  pairs.another_host = true;
  expect_none(pairs, ErrorCode::no_verdict, {"the nearest stored run cannot be used"});
  auto nearer = sample_run(3, commit("a4"));
  nearer.machine.host_key = other_host;
  ASSERT_TRUE(store_->put(nearer, true));
  EXPECT_EQ(ids(select_baseline(*store_, pairs).value()), std::vector{id(3)});
}

TEST_F(SelectBaseline, ElseTheNearestAncestorAndItSaysSo) {
  add(1, commit("a1"));
  add(2, commit("a2"));
  const auto selection = select_baseline(*store_, request()).value();
  EXPECT_EQ(ids(selection), (std::vector{id(2), id(1)}));
  EXPECT_TRUE(selection.substituted);
  EXPECT_EQ(selection.wanted, commit("a4"));
  EXPECT_EQ(selection.commit, commit("a2"));
  EXPECT_EQ(
      selection.sentence,
      "no run of a40000000000 is stored for this machine; its nearest ancestor with a run is a20000000000, 2 commits "
      "back (run 0000000000000002, 2026-11-20), pooled with 1 more run back to a10000000000");
}

TEST_F(SelectBaseline, OrderIsHistoryNotTime) {
  add(1, commit("a4"));
  add(2, commit("a3"));  // measured later
  EXPECT_EQ(ids(select_baseline(*store_, request()).value()), (std::vector{id(1), id(2)}));
}

TEST_F(SelectBaseline, SeveralRunsOfOneCommitAllCountNewestFirst) {
  add(1, commit("a4"));
  add(2, commit("a4"));
  add(3, commit("a3"));
  EXPECT_EQ(ids(select_baseline(*store_, request()).value()), (std::vector{id(2), id(1), id(3)}));
}

TEST_F(SelectBaseline, PoolsUpToTenEarlierRuns) {
  auto long_history = request();
  long_history.commits.clear();
  for (unsigned i = 0; i < 30; ++i) {
    const auto hash = commit(std::to_string(100 + i));
    long_history.commits.push_back(hash);
    add(100 - i, hash);
  }
  const auto selection = select_baseline(*store_, long_history).value();
  ASSERT_EQ(selection.runs.size(), 11U);
  EXPECT_EQ(selection.runs.back().id, id(90));
  long_history.earlier_runs = 0;
  EXPECT_EQ(select_baseline(*store_, long_history).value().runs.size(), 1U);
}

// Eleven runs without the cases of a suite would make these cases new once it lists them again.
TEST_F(SelectBaseline, LooksFurtherBackForARunWhoseSuitesAllListedTheirCases) {
  SelectRequest long_history = request();
  long_history.commits.clear();
  for (unsigned i = 0; i < 30; ++i) {
    const auto hash = commit(std::to_string(100 + i));
    long_history.commits.push_back(hash);
    record::Run run = sample_run(100 - i, hash);
    if (i != 20 && i != 25) {
      record::Process listing;
      listing.suite = "s";
      listing.status = record::ProcessStatus::crashed;
      run.processes.push_back(listing);
    }
    ASSERT_TRUE(store_->put(run, true));
  }
  const auto selection = select_baseline(*store_, long_history).value();
  ASSERT_EQ(selection.runs.size(), 12U);
  EXPECT_EQ(selection.runs[10].id, id(90));
  EXPECT_EQ(selection.runs[11].id, id(80));
  long_history.planned = {id(100), id(90)};
  EXPECT_EQ(ids(select_baseline(*store_, long_history).value()), long_history.planned);
}

TEST_F(SelectBaseline, IsNeverTheRunThatIsJudged) {
  add(1, commit("a3"));
  add(2, commit("a4"));
  auto own = request();
  own.run_id = id(2);
  const auto selection = select_baseline(*store_, own).value();
  EXPECT_EQ(ids(selection), std::vector{id(1)});
  EXPECT_TRUE(selection.substituted);
}

// A plan was made when a1 was the nearest run; a3 was stored since then.
TEST_F(SelectBaseline, PlannedRunsAreTakenAndNearerOnesPassedOver) {
  add(1, commit("a0"));
  add(2, commit("a1"));
  add(3, commit("a3"));
  auto planned = request();
  planned.planned = {id(2), id(1)};
  const auto selection = select_baseline(*store_, planned).value();
  EXPECT_EQ(ids(selection), (std::vector{id(2), id(1)}));
  EXPECT_EQ(selection.commit, commit("a1"));
  ASSERT_EQ(selection.passed_over.size(), 1U);
  EXPECT_EQ(selection.passed_over[0].id, id(3));
  EXPECT_EQ(selection.passed_over[0].created, sample_run(3, commit("a3")).created);
  planned.planned = {id(3), id(2), id(1)};
  EXPECT_TRUE(select_baseline(*store_, planned).value().passed_over.empty());
}

TEST_F(SelectBaseline, RefusesAPlannedRunThatIsNotStoredForTheseCommits) {
  add(1, commit("a1"));
  add(2, commit("ff"));  // of another branch
  auto planned = request();
  for (const auto& runs : {std::vector{id(9)}, std::vector{id(1), id(9)}, std::vector{id(2)}}) {
    planned.planned = runs;
    expect_none(planned, ErrorCode::no_verdict, {"not every run of the plan's baseline is stored"});
  }
}

TEST_F(SelectBaseline, ARunOfAnotherHostIsTakenAlone) {
  for (unsigned i = 1; i <= 3; ++i) add(i, commit("a" + std::to_string(i)));
  auto elsewhere = request();
  elsewhere.another_host = true;
  expect_none(elsewhere, ErrorCode::no_verdict, {"no run of another machine"});
  elsewhere.host_key = "x86_64-other-2cpu-00000000";
  const auto selection = select_baseline(*store_, elsewhere).value();
  EXPECT_EQ(ids(selection), std::vector{id(3)}) << "its times are pooled with nothing";
  EXPECT_NE(selection.sentence.find("measured on another machine"), std::string::npos) << selection.sentence;
}

TEST_F(SelectBaseline, NamesANearerRunOfAnotherHost) {
  const auto add_elsewhere = [&](unsigned number, const std::string& of_commit) {
    auto run = sample_run(number, of_commit);
    run.machine.host_key = other_host;
    ASSERT_TRUE(store_->put(run, true));
  };
  add(1, commit("a1"));
  add_elsewhere(2, commit("a1"));
  add_elsewhere(3, commit("a0"));
  EXPECT_FALSE(select_baseline(*store_, request())->nearer_elsewhere) << "none is nearer";
  add_elsewhere(4, commit("a3"));
  add_elsewhere(5, commit("a4"));
  auto wanted = request();
  wanted.begins_with_own = true;
  const auto selection = select_baseline(*store_, wanted).value();
  EXPECT_EQ(ids(selection), std::vector{id(1)}) << "its times are not comparable";
  ASSERT_TRUE(selection.nearer_elsewhere);
  EXPECT_EQ(selection.nearer_elsewhere->id, id(4)) << "the judged run's commit is not before the change";
  EXPECT_EQ(selection.nearer_elsewhere->host_key, other_host);
  EXPECT_EQ(selection.nearer_elsewhere->commit, commit("a3"));
  EXPECT_EQ(selection.nearer_elsewhere->commits_nearer, 2U);
  EXPECT_EQ(select_baseline(*store_, request())->nearer_elsewhere->id, id(5));
  wanted.line = 1;
  EXPECT_FALSE(select_baseline(*store_, wanted)->nearer_elsewhere) << "of a branch that was merged";
  add(6, commit("a3"));
  wanted.line = 5;
  EXPECT_FALSE(select_baseline(*store_, wanted)->nearer_elsewhere);
}

// A pool of runners with one CPU model and several GPUs has one host key.
class SelectOfADevice : public SelectBaseline {
 protected:
  void add_on(unsigned number, const std::string& of_commit, const char* device_key, bool cuda_cases = true) {
    auto run = sample_run(number, of_commit);
    if (device_key != nullptr) run.machine.device_key = device_key;
    if (cuda_cases) run.cases.front().device = "cuda";
    ASSERT_TRUE(store_->put(run, true));
  }

  static SelectRequest on(const char* device_key) {
    auto wanted = request();
    wanted.has_cuda_cases = true;
    if (device_key != nullptr) wanted.device_key = device_key;
    return wanted;
  }
};

TEST_F(SelectOfADevice, RunsOfAnotherDeviceArePassedOverAndItSaysSo) {
  add_on(1, commit("a1"), "h200");
  add_on(2, commit("a2"), "h200");
  add_on(3, commit("a3"), nullptr);
  add_on(4, commit("a4"), "t4");
  const auto selection = select_baseline(*store_, on("h200")).value();
  EXPECT_EQ(ids(selection), (std::vector{id(2), id(1)}));
  EXPECT_FALSE(selection.another_device);
  EXPECT_TRUE(selection.passed_over.empty());
  EXPECT_TRUE(selection.sentence.ends_with(", 2 runs of another device passed over")) << selection.sentence;
  EXPECT_EQ(ids(select_baseline(*store_, on("t4")).value()), std::vector{id(4)});
  EXPECT_EQ(ids(select_baseline(*store_, on(nullptr)).value()), std::vector{id(3)});
  EXPECT_EQ(ids(select_baseline(*store_, request()).value()), (std::vector{id(4), id(3), id(2), id(1)}))
      << "a run without cases on a GPU is compared with all";
}

TEST_F(SelectOfADevice, RunsWithoutCasesOnAGpuAreOfEveryDevice) {
  add_on(1, commit("a1"), "h200");
  add_on(2, commit("a2"), nullptr, false);
  EXPECT_EQ(ids(select_baseline(*store_, on("h200")).value()), (std::vector{id(2), id(1)}));
}

TEST_F(SelectOfADevice, WithoutOneOfTheDeviceTheNearestOthersAreTaken) {
  add_on(1, commit("a1"), "t4");
  add_on(2, commit("a2"), "t4");
  const auto selection = select_baseline(*store_, on("h200")).value();
  EXPECT_EQ(ids(selection), (std::vector{id(2), id(1)}));
  EXPECT_EQ(selection.commit, commit("a2"));
  EXPECT_TRUE(selection.another_device);
}

TEST_F(SelectOfADevice, APlanIsKeptAlthoughRunsOfOtherDevicesAreNearer) {
  add_on(1, commit("a1"), "h200");
  add_on(2, commit("a2"), "t4");
  add_on(3, commit("a3"), "h200");
  auto planned = on("h200");
  planned.planned = {id(1)};
  const auto of_the_device = select_baseline(*store_, planned).value();
  EXPECT_EQ(ids(of_the_device), std::vector{id(1)});
  ASSERT_EQ(of_the_device.passed_over.size(), 1U) << "the plan would not have had the t4";
  EXPECT_EQ(of_the_device.passed_over.front().id, id(3));
  planned.planned = {id(2)};
  const auto of_another = select_baseline(*store_, planned).value();
  EXPECT_TRUE(of_another.another_device);
  ASSERT_EQ(of_another.passed_over.size(), 1U);
  EXPECT_EQ(of_another.passed_over.front().id, id(3));
}

TEST_F(SelectBaseline, RunsOfAModifiedTreeDoNotCount) {
  auto modified = sample_run(1, commit("a4"));
  modified.sides[0].source.modified = true;
  ASSERT_TRUE(store_->put(modified, false));
  expect_none(request(), ErrorCode::no_verdict, {"none of the 5 commits"});
  add(2, commit("a1"));
  EXPECT_EQ(ids(select_baseline(*store_, request()).value()), std::vector{id(2)});
}

TEST_F(SelectBaseline, WhatTheRecordSaysCounts) {
  // Written past add_run, by hand or by another program: named like baselines of a4.
  auto modified = sample_run(1, commit("a4"));
  modified.sides[0].source.modified = true;
  auto interrupted = sample_run(2, commit("a4"));
  interrupted.interrupted = true;
  const auto twin = sample_run(3, commit("a40000000000b"));  // same twelve digits, another commit
  auto paired = sample_run(4, commit("a4"));
  paired.sides.push_back(paired.sides[0]);
  for (const auto& run : {modified, interrupted, twin, paired}) ASSERT_TRUE(store_->put(run, true));
  expect_none(request(), ErrorCode::no_verdict, {"none of the 5 commits"});
}

TEST_F(SelectBaseline, ADamagedRecordIsLeftOutAndSaid) {
  add(1, commit("a4"));
  add(2, commit("a3"));
  write(scratch_.path() / "store" / "runs" / host / "20261120T000002.250Z-a30000000000-0000000000000002.json", "{");
  const auto selection = select_baseline(*store_, request()).value();
  EXPECT_EQ(ids(selection), std::vector{id(1)});
  ASSERT_EQ(selection.warnings.size(), 1U);
  EXPECT_NE(selection.warnings[0].find(id(2)), std::string::npos);
}

TEST_F(SelectBaseline, RefusesRunsOfAnotherMachine) {
  auto elsewhere = sample_run(1, commit("a4"));
  elsewhere.machine.host_key = other_host;
  ASSERT_TRUE(store_->put(elsewhere, true));
  expect_none(request(), ErrorCode::no_verdict, {host, other_host, "torchgate baseline add"});
}

TEST_F(SelectBaseline, AnEmptyStoreSaysHowToFillIt) {
  expect_none(request(), ErrorCode::no_verdict, {"no run is stored", "torchgate baseline add"});
}

TEST_F(SelectBaseline, OfOtherCommitsItSaysHowFarItLooked) {
  add(1, commit("dead"));
  expect_none(request(), ErrorCode::no_verdict, {"none of the 5 commits", "a40000000000", "torchgate baseline add"});
}

TEST_F(SelectBaseline, TheJudgedRunIsNamedWhereItIsTheOnlyOne) {
  add(1, commit("a4"));
  auto alone = request();
  alone.run_id = id(1);
  expect_none(alone, ErrorCode::no_verdict, {"run " + id(1) + " of a40000000000 is the run that is judged"});
}

TEST_F(SelectBaseline, AfterAForcePushTheRunOfTheOldCommitIsNamed) {
  add(1, commit("dead"));
  expect_none(request(), ErrorCode::no_verdict, {"the newest stored run is " + id(1), "`--against " + id(1) + "`"});
}

TEST_F(SelectBaseline, AShallowCloneThatHidesItIsAnErrorWithTheCure) {
  add(1, commit("dead"));
  auto shallow = request();
  shallow.shallow = true;
  expect_none(shallow, ErrorCode::bad_input, {"shallow", "git fetch --unshallow", "fetch-depth: 0"});
  add(2, commit("a4"));
  EXPECT_TRUE(select_baseline(*store_, shallow)) << "what is found is found";
}

TEST_F(SelectBaseline, ARunFromTheFutureIsLeftOutWithASentence) {
  add(1, commit("a4"));
  add(2, commit("a4"));
  auto then = request();
  then.now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 20);  // when the runs of this test were made
  EXPECT_EQ(ids(select_baseline(*store_, then).value()), (std::vector{id(2), id(1)}));
  auto forged = sample_run(3, commit("a4"));
  forged.created = "2999-01-01T00:00:00.000Z";
  ASSERT_TRUE(store_->put(forged, true));
  const auto selection = select_baseline(*store_, then).value();
  EXPECT_EQ(ids(selection), (std::vector{id(2), id(1)}));
  ASSERT_EQ(selection.warnings.size(), 1U);
  EXPECT_NE(selection.warnings.front().find("2999-01-01"), std::string::npos) << selection.warnings.front();
}

TEST_F(SelectBaseline, WithoutACommitThereIsNothingToSelect) {
  SelectRequest nothing;
  nothing.host_key = host;
  expect_none(nothing, ErrorCode::bad_input, {"unknown commit"});
}

}  // namespace
}  // namespace torchgate::baselines::testing
