// SPDX-License-Identifier: Apache-2.0
// Suites that reach beyond their own process: into later reports, into other files, into the name of another program.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <thread>

#include "harness/base/content_hash.hpp"
#include "harness/launch/launcher.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;
using record::ProcessStatus;
using testing::fake_request;
using testing::run;

bool warns(const record::Run& run, const std::string& part) {
  return std::any_of(run.warnings.begin(), run.warnings.end(),
                     [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

/// Running processes that were started with ENTRY ("NAME=value") in their environment.
int running_with(const std::string& entry) {
  int count = 0;
  for (const auto& process : fs::directory_iterator("/proc")) {
    if (process.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    if (testing::read_text(process.path() / "environ").find(entry) != std::string::npos) ++count;
  }
  return count;
}

class TrespassTest : public ::testing::Test {
 protected:
  /// A suite of its own: a copy of the fake one, or SCRIPT.
  fs::path suite(const std::string& side, const std::string& script = "") const {
    fs::create_directory(folder_.path() / side);
    const fs::path path = folder_.path() / side / "fake";
    if (script.empty()) {
      fs::copy_file(TORCHGATE_FAKE_SUITE, path);
    } else {
      std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    }
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  base::testing::TemporaryFolder folder_;
};

TEST_F(TrespassTest, ADaemonOfOneGroupRewritesNoReportOfAnother) {
  Request request = fake_request("haunts,lingers");
  request.plan.processes = 4;
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 8U);
  for (const record::Process& process : result.processes) {
    EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
    if (process.group == "fake/haunts") continue;  // its own report, and its own affair
    EXPECT_EQ(process.cases.at(0).measurements.at(0).summary->median, 1000);
  }
  EXPECT_TRUE(warns(result, "fake/haunts: its process ended with child processes still running"));
  EXPECT_FALSE(warns(result, "fake/lingers: its process ended with child processes still running"));
  EXPECT_TRUE(testing::children().empty());
}

TEST_F(TrespassTest, AStormOfProcessesEnds) {
  Request request = fake_request("storms,ok");
  const std::string mark = (folder_.path() / "mark").string();
  request.environment.push_back({"FAKE_MARK", mark});
  const record::Run result = run(request);
  for (const record::Process& process : result.processes) EXPECT_EQ(process.status, ProcessStatus::ok);
  EXPECT_TRUE(warns(result, "fake/storms: its process ended with child processes still running"));
  EXPECT_EQ(running_with("FAKE_MARK=" + mark), 0);
  EXPECT_TRUE(testing::children().empty());
}

// With less CPU time than the storm has, /proc alone cannot be read as fast as its processes end.
TEST_F(TrespassTest, AStormOfProcessesEndsOnABusyMachine) {
  std::atomic<bool> busy{true};
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    others.emplace_back([&] {
      while (busy) {
      }
    });
  for (int i = 0; i < 5; ++i) {
    const record::Run result = run(fake_request("storms"));
    for (const record::Process& process : result.processes) EXPECT_EQ(process.status, ProcessStatus::ok);
    EXPECT_TRUE(testing::children().empty());
  }
  busy = false;
  for (std::thread& other : others) other.join();
}

TEST_F(TrespassTest, AReportThatIsNotAFileOfItsOwnIsABadReport) {
  const record::Run result = run(fake_request("pipe,folder,device,symlink,hardlink,ok"));
  ASSERT_EQ(result.processes.size(), 6U);
  for (const record::Process& process : result.processes) {
    const bool ok = process.group == "fake/ok";
    EXPECT_EQ(process.status, ok ? ProcessStatus::ok : ProcessStatus::bad_report) << process.group;
    EXPECT_EQ(process.cases.empty(), !ok);
    EXPECT_EQ(process.message.starts_with("its report: "), !ok) << process.message;
  }
}

TEST_F(TrespassTest, AReportThatNamesAnotherExecutableIsBad) {
  const record::Run result = run(fake_request("impostor"));
  ASSERT_EQ(result.processes.size(), 1U);
  EXPECT_EQ(result.processes[0].status, ProcessStatus::bad_report);
  EXPECT_EQ(result.processes[0].message, "wrong executable in its report: /bin/sh, but " +
                                             fs::canonical(TORCHGATE_FAKE_SUITE).string() +
                                             " ran; a wrapper script must end with `exec`");
}

// One process, whatever was started, and what it ran.
void expect_the_fake_suite(const record::Run& run) {
  ASSERT_EQ(run.processes.size(), 1U);
  EXPECT_EQ(run.processes[0].status, ProcessStatus::ok) << run.processes[0].message;
  EXPECT_EQ(run.objects.at(0).path, fs::canonical(TORCHGATE_FAKE_SUITE));
  EXPECT_EQ(run.objects[0].sha256, *base::sha256_of_file(TORCHGATE_FAKE_SUITE));
}

TEST_F(TrespassTest, AWrapperScriptThatEndsWithExecIsTheSuiteItBecame) {
  Request request = fake_request("slow");
  request.sides[0].suites = {suite("run", "exec " TORCHGATE_FAKE_SUITE " \"$@\"")};
  expect_the_fake_suite(run(request));

  request.sides[0].suites = {suite("other", TORCHGATE_FAKE_SUITE " \"$@\"; exit $?")};
  const record::Run bad = run(request);
  EXPECT_EQ(bad.processes.at(0).status, ProcessStatus::bad_report);
}

// It is looked at 2, 4, 8 ... ms after its start and then every 256 ms: a suite of some milliseconds begins and ends in between.
TEST_F(TrespassTest, ASuiteThatAWrapperScriptBecameIsKnownWithoutALookAtIt) {
  Request request = fake_request("ok");
  request.sides[0].suites = {suite("run", "sleep 0.3; exec " TORCHGATE_FAKE_SUITE " \"$@\"")};
  expect_the_fake_suite(run(request));
}

/// Two sides, of which the second writes into VICTIM in its first process.
TEST_F(TrespassTest, AnExecutableThatTheOtherSideRewroteEndsThePairs) {
  Request request = fake_request("rewrites");
  request.sides.push_back(request.sides[0]);
  const fs::path victim = suite("before");
  request.sides[0].label = "before";
  request.sides[0].suites = {victim};
  request.sides[1].label = "after";
  request.sides[1].suites = {suite("after")};
  request.sides[1].environment = {{"FAKE_VICTIM", victim.string()}};
  request.plan.processes = 4;
  const auto modified = fs::last_write_time(victim);
  Observer silent;
  const auto result = measure(request, silent);
  EXPECT_EQ(fs::last_write_time(victim), modified);  // the time of the file does not show the change
  ASSERT_FALSE(result);                              // lost processes would be inconclusive, and pass
  EXPECT_EQ(result.error().code, base::ErrorCode::bad_input);
  EXPECT_TRUE(result.error().message.starts_with(victim.string() + " changed since the first launch"))
      << result.error().message;
}

TEST_F(TrespassTest, AFileThatASideNeedsIsLookedAtBeforeEachLaunch) {
  Request request = fake_request("rewrites");
  const fs::path library = folder_.path() / "libx.so";
  std::ofstream(library) << "content";
  request.sides[0].environment = {{"FAKE_VICTIM", library.string()}};
  request.sides[0].files = {{library, base::sha256("content")}};
  request.plan.processes = 3;
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 3U);
  EXPECT_EQ(result.processes[0].status, ProcessStatus::ok);
  EXPECT_EQ(result.processes[1].status, ProcessStatus::not_started);
  EXPECT_NE(result.processes[1].message.find(library.string()), std::string::npos);
  EXPECT_EQ(result.processes[2].status, ProcessStatus::not_started);

  fs::remove(library);
  EXPECT_EQ(run(request).processes.at(0).status, ProcessStatus::not_started);
}

}  // namespace
}  // namespace torchgate::launch
