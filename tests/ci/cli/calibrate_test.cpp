// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "ci/workflow/workspace/workspace.hpp"
#include "harness/record/calibration.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

/// Runs of one build: what differs between them is noise.
record::Run run_of_the_build(const std::string& id, double time_ns) {
  record::Run run = made_run(id, time_ns);
  record::LoadedObject executable;
  executable.path = "/build/g";
  executable.bytes = 1;
  executable.sha256 = std::string(64, 'a');
  executable.executable = true;
  run.objects = {executable};
  for (record::Process& process : run.processes) process.objects = {0};
  return run;
}

TEST(CalibrateCommand, UsesRunsThatWereMade) {
  const ProgramFolder folder;
  folder.save(run_of_the_build("aaaaaaaaaaaaaaaa", 1e5), "one");
  folder.save(run_of_the_build("bbbbbbbbbbbbbbbb", 1.01e5), "two");
  folder.save(run_of_the_build("cccccccccccccccc", 0.99e5), "three");
  const Ran ran = folder.torchgate(
      {"calibrate", "--from", "one", "--from", "two", "--from", "three", "--json", "calibration.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "Saved in .torchgate/store"));
  EXPECT_TRUE(has(read_text("calibration.json"), "torchgate.calibration/"));
}

TEST(CalibrateCommand, MeasuresRunsOfItsOwn) {
  const ProgramFolder folder;
  folder.make_suite("build", 1000);
  const Ran ran = folder.torchgate({"calibrate", "--suite", "build", "--runs", "3", "--processes", "2", "--seed", "7"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "calibration run 3 of 3\n"));
  for (const std::uint64_t i : {1U, 2U, 3U}) {
    const auto run = workflow::Workspace().load("calibration" + std::to_string(i));
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->plan.seed, 6 + i) << "a seed of its own";
    EXPECT_EQ(run->sides.front().label, workflow::calibration_side);
  }
}

TEST(CalibrateCommand, KeepsTheCasesThatItDoesNotMeasure) {
  const ProgramFolder folder;
  folder.make_suite("build", 1000);
  const std::vector<std::string> measure{"calibrate", "--suite", "build", "--runs", "3", "--processes", "2"};
  ASSERT_EQ(folder.torchgate(measure).code, 0);
  const auto calibrated = [&] {
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::recursive_directory_iterator(".torchgate/store/calibrations"))
      if (file.is_regular_file()) files.push_back(file.path().string());
    const auto read = record::calibration_from_json(read_text(*std::max_element(files.begin(), files.end())), "newest");
    EXPECT_TRUE(read) << read.error().message;
    return read ? *read : record::Calibration();
  };
  const record::Calibration all = calibrated();
  ASSERT_GT(all.cases.size(), 1U);
  std::vector<std::string> one = measure;
  one.insert(one.end(), {"--filter", "^" + all.cases.front().name + "$"});
  const Ran ran = folder.torchgate(one);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "of the earlier calibration")) << ran.out;
  EXPECT_EQ(calibrated().cases.size(), all.cases.size());
}

TEST(CalibrateCommand, MeasuresNothingWithoutAStore) {
  const ProgramFolder folder;
  folder.make_suite("build", 1000);
  const Ran ran = folder.torchgate({"calibrate", "--suite", "build", "--store", "/dev/null/store"});
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_TRUE(has(ran.err, "/dev/null")) << ran.err;
  EXPECT_FALSE(has(ran.err, "calibration run")) << ran.err;
}

TEST(CalibrateCommand, RefusesBadInput) {
  const ProgramFolder folder;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "one");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1e5), "two");
  const Ran few = folder.torchgate({"calibrate", "--from", "one", "--from", "two"});
  EXPECT_EQ(few.code, 2);
  EXPECT_TRUE(has(few.err, "at least 3 runs"));
  EXPECT_EQ(folder.torchgate({"calibrate", "--from", "nothing"}).code, 2);
  for (const std::vector<std::string>& measuring : {std::vector<std::string>{"--suite", "build"},
                                                    {"--runs", "9"},
                                                    {"--filter", "x"},
                                                    {"--quick"},
                                                    {"--full"},
                                                    {"--instructions"},
                                                    {"--seed", "7"},
                                                    {"--processes", "2"},
                                                    {"--threads", "7"},
                                                    {"--allocator", "system"},
                                                    {"--group-limit", "9"},
                                                    {"--total-limit", "9"}}) {
    std::vector<std::string> arguments{"calibrate", "--from", "one"};
    arguments.insert(arguments.end(), measuring.begin(), measuring.end());
    const Ran refused = folder.torchgate(arguments);
    EXPECT_EQ(refused.code, 2) << measuring.front();
    EXPECT_TRUE(has(refused.err, measuring.front())) << "and not: at least 3 runs";
  }
  const Ran none = folder.torchgate({"calibrate"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "run.suites"));
}

}  // namespace
}  // namespace torchgate::cli::testing
