// SPDX-License-Identifier: Apache-2.0
// `baseline pin` and `gate --since`: success, failure, no verdict, bad input; that an ordinary gate measures nothing for it.
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::cli::testing {
namespace {

// A pinned commit and a newer one, whose build is as slow as a test says.
class SinceCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_repository();
    folder_.set("TORCHGATE_GATE_ALLOW_NOISY", "true");
    folder_.make_suite("build", 100000);
    run("release");
    ASSERT_EQ(folder_.torchgate({"baseline", "add", "release"}).code, 0);
    ASSERT_EQ(folder_.torchgate({"baseline", "pin", "v1"}).code, 0);
    (void)folder_.commit("next");
  }
  void run(const std::string& name) {
    const Ran ran = folder_.torchgate({"run", "--suite", "build", "--save", name});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  ProgramFolder folder_;
};

TEST_F(SinceCommand, ComparesWithThePinnedBinaries) {
  folder_.make_suite("build", 109000);
  run("now");
  const Ran failed = folder_.torchgate({"gate", "--since", "v1", "--json", "report.json"});
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_TRUE(has(failed.out, "since v1 ("));
  EXPECT_TRUE(has(failed.out, "pin v1"));
  EXPECT_TRUE(has(read_text("report.json"), "\"name\": \"v1\""));
  folder_.set("TORCHGATE_GATE_CREEP", "warn");
  EXPECT_EQ(folder_.torchgate({"gate", "--since", "v1", "--quiet"}).code, 0);
}

TEST_F(SinceCommand, WhatIsAcceptedIsTheChangeSinceThatPin) {
  folder_.make_suite("build", 130000);
  run("now");
  ASSERT_EQ(folder_.torchgate({"gate", "--since", "v1", "--quiet"}).code, 1);
  const Ran gate = folder_.torchgate({"accept", "fake/ok/eager/device:cpu", "--reason", "reviewed"});
  ASSERT_EQ(gate.code, 0) << gate.err;
  EXPECT_TRUE(has(gate.out, "since = \"v1\"\n"));
  EXPECT_TRUE(has(gate.out, "`torchgate gate --since v1` accepts"));
}

TEST_F(SinceCommand, PassesWithinItsBudget) {
  folder_.make_suite("build", 103000);
  run("now");
  const Ran passed = folder_.torchgate({"gate", "--since", "v1"});
  EXPECT_EQ(passed.code, 0) << passed.err << passed.out;
  EXPECT_TRUE(has(passed.err + passed.out,
                  "with pin v1 in interleaved pairs; budget 48 min 0 s, and 12 min 0 s to count what they leave open"));
  EXPECT_EQ(folder_.torchgate({"gate", "--since", "v1", "--gate", "0.02", "--quiet"}).code, 1)
      << "--gate is that of the change since the pin";
}

TEST_F(SinceCommand, AGateWithoutSinceIgnoresPins) {
  folder_.make_suite("build", 100900);
  run("now");
  const Ran gate = folder_.torchgate({"gate", "--json", "report.json"});
  EXPECT_EQ(gate.code, 0) << gate.err;
  EXPECT_FALSE(has(gate.err + gate.out, "v1"));
  EXPECT_FALSE(has(read_text("report.json"), "\"since\""));
}

TEST_F(SinceCommand, HasNoVerdictWithoutThePinnedBinaries) {
  folder_.make_suite("build", 109000);
  run("now");
  std::filesystem::remove_all(".torchgate/store/objects");
  const Ran none = folder_.torchgate({"gate", "--since", "v1"});
  EXPECT_EQ(none.code, 3) << none.out;
  EXPECT_TRUE(has(none.out, "baseline.build"));
  record::Run elsewhere = made_run("bbbbbbbbbbbbbbbb", 1e5);
  elsewhere.machine.host_key = "host-b";
  folder_.save(elsewhere, "elsewhere");
  const Ran other = folder_.torchgate({"gate", "elsewhere", "--since", "v1"});
  EXPECT_EQ(other.code, 3);
  EXPECT_TRUE(has(other.err, "no run of its commit"));
  EXPECT_EQ(folder_.torchgate({"gate", "--since", "v1", "--store", "nowhere"}).code, 3);
}

TEST_F(SinceCommand, RefusesBadInput) {
  run("now");
  const Ran unknown = folder_.torchgate({"gate", "--since", "v2"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "existing pins: v1"));
  EXPECT_EQ(folder_.torchgate({"gate", "--since", "v1", "--against", "release"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"gate", "--since", "v1", "--budget", "none"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"gate", "--since"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"baseline", "pin", "v1"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"baseline", "pin", "v2", "1234", "--commit", "HEAD"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"baseline", "pin", "v2"}).code, 3) << "HEAD has no stored run";
  EXPECT_EQ(folder_.torchgate({"baseline", "unpin", "v2"}).code, 2);
}

TEST_F(SinceCommand, PinsAreListedShownMovedAndRemoved) {
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "list"}).out, "pin v1: commit "));
  EXPECT_TRUE(has(folder_.torchgate({"baseline", "list", "--json"}).out, "\"pins\""));
  const Ran shown = folder_.torchgate({"baseline", "show", "v1"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "pin v1: commit "));
  EXPECT_TRUE(has(shown.out, "2 cases measured"));
  EXPECT_EQ(folder_.torchgate({"baseline", "pin", "v1", "--commit", "HEAD~1", "--move"}).code, 0);
  EXPECT_EQ(folder_.torchgate({"baseline", "unpin", "v1"}).code, 0);
  EXPECT_FALSE(has(folder_.torchgate({"baseline", "list"}).out, "pin v1"));
}

TEST_F(SinceCommand, InThreeJobs) {
  folder_.make_suite("build", 109000);
  run("now");
  EXPECT_EQ(folder_.torchgate({"gate", "--since", "v1", "--pair-plan", "plan.json"}).code, 0);
  EXPECT_TRUE(has(read_text("plan.json"), "\"since\": \"v1\""));
  const Ran measured = folder_.torchgate({"ab", "--pair-plan", "plan.json", "--save", "pairs"});
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_TRUE(has(measured.out, "gate RUN --since v1 --pairs-from"));
  EXPECT_EQ(folder_.torchgate({"gate", "now", "--since", "v1", "--pairs-from", "pairs", "--quiet"}).code, 1);
  EXPECT_EQ(folder_.torchgate({"gate", "release", "--since", "v1", "--pairs-from", "pairs", "--quiet"}).code, 3)
      << "the pinned run itself";
}

// Two stored commits with made-up records, for the tests that need no pairs.
class SinceRecords : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.set("TORCHGATE_GATE_ALLOW_NOISY", "true");
    record::Run release = made_run(pinned_id, 1e5);
    gate::testing::add_case(release, "g/one/v/other", gate::testing::around(1e5, 0.01));
    release.sides.front().source = {std::string(40, '1'), false, std::nullopt};
    folder_.save(release, "release");
    ASSERT_EQ(folder_.torchgate({"baseline", "add", "release", "--without-objects"}).code, 0);
    ASSERT_EQ(folder_.torchgate({"baseline", "pin", "v1", pinned_id}).code, 0);
    now_.created = "2026-01-02T00:00:00.000Z";
  }
  static constexpr const char* pinned_id = "aaaaaaaaaaaaaaaa";
  ProgramFolder folder_;
  record::Run now_ = made_run("bbbbbbbbbbbbbbbb", 1e5);
};

TEST_F(SinceRecords, APairPlanGivesNoVerdictYet) {
  now_.plan.filter = "case";
  folder_.save(now_, "now");
  const Ran planned = folder_.torchgate({"gate", "now", "--since", "v1", "--pair-plan", "plan.json"});
  EXPECT_EQ(planned.code, 0) << planned.err;
  EXPECT_TRUE(has(planned.out, "1 case of the pin was not judged: this run's plan leaves it out (filter case)"));
  EXPECT_TRUE(has(planned.out, "Measure the planned pairs with `torchgate ab --pair-plan FILE`"));
  EXPECT_FALSE(has(planned.out, "store the binaries"));
}

TEST_F(SinceRecords, APlanOfPairsOfAnIncompleteRunHasNoVerdict) {
  now_.interrupted = true;
  folder_.save(now_, "stopped");
  const Ran planned = folder_.torchgate({"gate", "stopped", "--since", "v1", "--pair-plan", "plan.json"});
  EXPECT_EQ(planned.code, 3) << planned.out;
  EXPECT_TRUE(has(read_text("plan.json"), "\"since\": \"v1\""));
  EXPECT_FALSE(has(planned.out, "store the binaries"));
}

TEST_F(SinceRecords, ADamagedPinIsNamedAndBlocksNoOther) {
  ASSERT_EQ(folder_.torchgate({"baseline", "pin", "v2", pinned_id}).code, 0);
  write_text(".torchgate/store/pins/v1/20991121012345678.json", "{ ");
  for (const std::vector<std::string>& list :
       {std::vector<std::string>{"baseline", "list"}, {"baseline", "list", "--json"}}) {
    const Ran listed = folder_.torchgate(list);
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_TRUE(has(listed.err, "warning: pin v1: "));
    EXPECT_TRUE(has(listed.err, "pins/v1/20991121012345678.json: "));
    EXPECT_TRUE(has(listed.err, "; restore the file, or remove it"));
    EXPECT_TRUE(has(listed.out, "v2"));
  }
  folder_.save(now_, "now");
  EXPECT_TRUE(has(folder_.torchgate({"gate", "now", "--since", "v9"}).err, "existing pins: v2"));
  EXPECT_EQ(folder_.torchgate({"gate", "now", "--since", "v2", "--pair-plan", "plan.json"}).code, 0);
  EXPECT_EQ(folder_.torchgate({"baseline", "pin", "v2", pinned_id, "--move"}).code, 0);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"baseline", "pin", "v1", pinned_id, "--move"},
        {"gate", "now", "--since", "v1"},
        {"baseline", "show", "v1"}}) {
    const Ran refused = folder_.torchgate(command);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err, "; restore the file, or remove it"));
  }
}

}  // namespace
}  // namespace torchgate::cli::testing
