// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/workspace.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow::testing {
namespace {

namespace fs = std::filesystem;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::paired_run;

TEST(WorkspaceTest, AFileDoesNotStandForTheSavedRunOfItsName) {
  const WorkingFolder folder;
  folder.save(empty_run("aaaaaaaaaaaaaaaa"), "after");
  folder.save(empty_run("bbbbbbbbbbbbbbbb"), "other");
  EXPECT_EQ(Workspace().load("after")->id, "aaaaaaaaaaaaaaaa");
  fs::copy_file(".torchgate/runs/other.json", "after");
  const auto either = Workspace().load("after");
  ASSERT_FALSE(either);
  EXPECT_EQ(either.error().code, base::ErrorCode::bad_input);
  EXPECT_EQ(either.error().message,
            "\"after\": both a file and a saved run; use ./after or .torchgate/runs/after.json");
  EXPECT_EQ(Workspace().load("./after")->id, "bbbbbbbbbbbbbbbb");
  EXPECT_EQ(Workspace().load(".torchgate/runs/after.json")->id, "aaaaaaaaaaaaaaaa");
  fs::remove("after");
  fs::create_directory("after");
  EXPECT_EQ(Workspace().load("after")->id, "aaaaaaaaaaaaaaaa") << "a folder of something else";
}

// Such as the /dev/fd/63 of `compare a.json <(zcat b.json.gz)`.
TEST(WorkspaceTest, APipeIsNotAFile) {
  const WorkingFolder folder;
  ASSERT_EQ(::mkfifo("pipe", 0600), 0);
  const auto run = Workspace().load("pipe");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "pipe: not a regular file; write it to a file first");
}

// What is proposed is copied into a shell.
TEST(WorkspaceTest, TheCommandThatMeasuresARunCanBeCopied) {
  const WorkingFolder folder;
  const auto proposed = [](const std::string& run) {
    const std::string message = Workspace().load(run).error().message;
    return message.substr(message.find('`'));
  };
  EXPECT_EQ(proposed("main"), "`torchgate run --save main`");
  EXPECT_EQ(proposed("my run"), "`torchgate run --save 'my run'`");
  EXPECT_EQ(proposed("$(touch pwned)"), "`torchgate run --save '$(touch pwned)'`");
  EXPECT_EQ(proposed("-x"), "`torchgate run --save=-x`");
}

// Root may read every folder: a file in its place cannot be read as one either.
TEST(WorkspaceTest, AFolderThatCannotBeReadIsNotEmpty) {
  const WorkingFolder folder;
  fs::create_directories(".torchgate");
  std::ofstream(".torchgate/runs") << "not a folder";
  const std::string expected = ".torchgate/runs: cannot read the folder: Not a directory";
  EXPECT_EQ(Workspace().load("old").error().message, expected);
  EXPECT_EQ(Workspace().newest().error().message, expected);
  EXPECT_EQ(Workspace().newest_pairs("g/one/v/case").error().message, expected);
  fs::remove(".torchgate/runs");
  EXPECT_TRUE(Workspace().newest().error().message.starts_with("no run in .torchgate/runs yet"));
}

TEST(WorkspaceTest, AReportIsNotARun) {
  const WorkingFolder folder;
  std::ofstream("report.json") << "{\n  \"schema\": \"torchgate.report/1\",\n  \"outcome\": \"pass\"\n}\n";
  EXPECT_EQ(Workspace().load("report.json").error().message,
            "report.json: a report, not a run; name the run that it is of");
}

record::Run measured(const std::string& id, double time_ns) {
  record::Run run = empty_run(id);
  add_case(run, "g/one/v", around(time_ns, 0.01));
  return run;
}

TEST(WorkspaceTest, PairsAreTheNewestUnlessTheyConfirmARun) {
  const WorkingFolder folder;
  const auto newest = [] { return Workspace().newest_with_pairs().value().id; };
  const auto save = [&](const std::string& id, const std::string& created, std::size_t sides) {
    record::Run run = empty_run(id);
    run.created = created;
    run.sides.resize(sides, run.sides.front());
    folder.save(run, id);
    return run;
  };
  record::Run pairs = save("aaaaaaaaaaaaaaaa", "2026-01-02T00:00:00.000Z", 2);
  EXPECT_EQ(newest(), "aaaaaaaaaaaaaaaa");
  EXPECT_FALSE(Workspace().newest());
  save("bbbbbbbbbbbbbbbb", "2026-01-01T00:00:00.000Z", 1);
  EXPECT_EQ(newest(), "aaaaaaaaaaaaaaaa");
  EXPECT_EQ(Workspace().newest()->id, "bbbbbbbbbbbbbbbb");
  pairs.plan.confirms.emplace();
  pairs.plan.confirms->baseline = "cccccccccccccccc";
  folder.save(pairs, pairs.id);
  EXPECT_EQ(newest(), "aaaaaaaaaaaaaaaa") << "of all cases: no run came before them";
  pairs.plan.confirms->run = "bbbbbbbbbbbbbbbb";
  folder.save(pairs, pairs.id);
  EXPECT_EQ(newest(), "bbbbbbbbbbbbbbbb");
}

// The clock was ahead when the newest run was measured: the one before it does not contain the change.
TEST(WorkspaceTest, ATimeAheadIsAnErrorNotARunToSkip) {
  const WorkingFolder folder;
  const auto save = [&](const std::string& id, const std::string& created, std::size_t sides) {
    record::Run run = sides == 1 ? measured(id, 100) : paired_run(id);
    run.created = created;
    if (sides == 2) add_paired_case(run, "g/one/v", around(100, 0.01), around(100, 0.01));
    folder.save(run, id);
  };
  save("bbbbbbbbbbbbbbbb", "2026-01-01T00:00:00.000Z", 1);
  save("cccccccccccccccc", "2999-01-01T00:00:00.000Z", 1);
  save("dddddddddddddddd", "2026-01-01T00:00:00.000Z", 2);
  save("eeeeeeeeeeeeeeee", "2999-01-01T00:00:00.000Z", 2);
  const auto newest = Workspace().newest();
  ASSERT_FALSE(newest);
  EXPECT_EQ(newest.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(newest.error().message.find("cccccccccccccccc.json: its time, 2999-01-01T00:00:00.000Z, is later than now"),
            std::string::npos)
      << newest.error().message;
  const auto pairs = Workspace().newest_pairs("g/one/v");
  ASSERT_FALSE(pairs);
  EXPECT_NE(pairs.error().message.find("eeeeeeeeeeeeeeee.json"), std::string::npos) << pairs.error().message;
  EXPECT_FALSE(Workspace().newest_pairs("g/other/v").value());
  // What was written after it is the newest run whatever the clock said.
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* name : {"cccccccccccccccc", "eeeeeeeeeeeeeeee"})
    fs::last_write_time(Workspace().runs() / (std::string(name) + ".json"), old);
  EXPECT_EQ(Workspace().newest()->id, "bbbbbbbbbbbbbbbb");
  EXPECT_EQ(Workspace().newest_pairs("g/one/v").value()->id, "dddddddddddddddd");
}

// `calibrate` measures the build at hand, which need not be the change.
TEST(WorkspaceTest, RunsOfACalibrationAreNotTheNewest) {
  const WorkingFolder folder;
  record::Run noise = measured("bbbbbbbbbbbbbbbb", 100);
  noise.created = "2026-01-02T00:00:00.000Z";
  noise.sides.front().label = calibration_side;
  folder.save(noise, "calibration1");
  const auto none = Workspace().newest();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, base::ErrorCode::not_found);
  EXPECT_EQ(
      none.error().message,
      "no run in .torchgate/runs yet, other than those of `torchgate calibrate`, which measure noise; measure one "
      "with `torchgate run`");
  record::Run change = measured("aaaaaaaaaaaaaaaa", 130);
  change.created = "2026-01-01T00:00:00.000Z";
  folder.save(change, "mine");
  EXPECT_EQ(Workspace().newest()->id, "aaaaaaaaaaaaaaaa");
  EXPECT_EQ(Workspace().newest_with_pairs()->id, "aaaaaaaaaaaaaaaa");
  EXPECT_EQ(Workspace().load("calibration1")->id, "bbbbbbbbbbbbbbbb") << "named, it is taken";
}

std::size_t samples_files() {
  std::size_t count = 0;
  for (const fs::path& path : fs::directory_iterator(".torchgate/runs"))
    count += path.extension() == ".samples" ? 1U : 0U;
  return count;
}

TEST(WorkspaceTest, AReplacedRunLeavesNoSamples) {
  const WorkingFolder folder;
  const Workspace workspace;
  record::Run first = measured("aaaaaaaaaaaaaaaa", 1e5);
  record::Run copy = first;
  record::Run second = measured("bbbbbbbbbbbbbbbb", 2e5);
  record::Run third = measured("cccccccccccccccc", 3e5);
  ASSERT_TRUE(workspace.save(first, "main"));
  ASSERT_TRUE(workspace.save(second, "main"));
  EXPECT_EQ(samples_files(), 1U);
  ASSERT_TRUE(workspace.save(second, "main"));
  EXPECT_EQ(samples_files(), 1U) << "the same content";
  ASSERT_TRUE(workspace.save(copy, "copy"));
  ASSERT_TRUE(workspace.save(first, "main"));
  EXPECT_EQ(samples_files(), 1U);
  ASSERT_TRUE(workspace.save(third, "main"));
  EXPECT_EQ(samples_files(), 2U) << "another record has them, too";
  EXPECT_FALSE(workspace.load("copy")->processes.front().cases.front().measurements.front().samples.empty());
  write_text(".torchgate/runs/damaged.json", "{");
  ASSERT_TRUE(workspace.save(second, "main"));
  EXPECT_EQ(samples_files(), 3U) << "the damaged record may have them";
}

}  // namespace
}  // namespace torchgate::workflow::testing
