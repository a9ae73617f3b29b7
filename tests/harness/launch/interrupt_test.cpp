// SPDX-License-Identifier: Apache-2.0
// Ctrl-C in the middle of a run, seen from outside: a child of the test measures, the test sends the signal.
#include "harness/process/interrupt.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

#include "harness/launch/launcher.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using testing::eventually;

TEST(InterruptScope, CountsSignalsAndRestoresHandlers) {
  signal(SIGHUP, SIG_IGN);
  {
    const process::InterruptScope outer;
    EXPECT_FALSE(process::stop_requested());
    {
      const process::InterruptScope inner;
      raise(SIGINT);
    }
    raise(SIGTERM);
    raise(SIGHUP);  // was ignored, and stays so: nohup
    EXPECT_EQ(process::interruptions(), 2);
    EXPECT_TRUE(process::stop_requested());
  }
  EXPECT_TRUE(process::interrupted());
  EXPECT_FALSE(process::stop_requested());
  struct sigaction action {};
  sigaction(SIGINT, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
  const process::InterruptScope next;
  EXPECT_FALSE(process::interrupted());
}

// A loop that never asks for the flag ends anyway, and with it its locks.
TEST(InterruptScope, ALoopThatNeverAsksIsEnded) {
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const process::InterruptScope scope(std::chrono::seconds(1));
    const char byte = 0;
    if (write(ready[1], &byte, 1) == 1)
      while (process::interrupt_descriptor() != -2) {
      }
    _exit(1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGTERM);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGALRM);
}

TEST(InterruptScope, AnOldInterruptionStopsNoLaterProcess) {
  {
    const process::InterruptScope scope;
    raise(SIGINT);
  }
  EXPECT_EQ(process::run_process(testing::shell("exit 3")).exit_code, 3);
}

class InterruptTest : public ::testing::Test {
 protected:
  /// Starts a run in a child, with its own folder for temporary files.
  void start(const std::string& groups) {
    std::filesystem::create_directory(scratch_);
    pid_ = fork();
    if (pid_ != 0) return;
    setenv("TMPDIR", scratch_.c_str(), 1);
    Request request = testing::fake_request(groups);
    request.environment.push_back({"FAKE_MARK", marks_.string()});
    Observer silent;
    auto run = measure(request, silent);
    if (run) run.value().warnings.clear();
    if (run) std::ofstream(record_) << record::to_json(*run);
    if (!run) std::ofstream(record_) << run.error().message;
    _exit(run ? 0 : 1);
  }
  /// The id of the process that measures GROUP, once it does.
  pid_t measuring(const std::string& group) {
    pid_t found = 0;
    eventually([&] {
      std::istringstream lines(testing::read_text(marks_));
      std::string name;
      for (pid_t pid = 0; lines >> name >> pid;)
        if (name == group) found = pid;
      return found != 0;
    });
    return found;
  }
  record::Run finished() {
    int status = 0;
    waitpid(pid_, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0) << testing::read_text(record_);
    auto run = record::run_from_json(testing::read_text(record_), "run");
    EXPECT_TRUE(run) << run.error().message;
    return run ? *run : record::Run{};
  }
  base::testing::TemporaryFolder folder_;
  std::filesystem::path scratch_ = folder_.path() / "tmp";
  std::filesystem::path marks_ = folder_.path() / "marks";
  std::filesystem::path record_ = folder_.path() / "run.json";
  pid_t pid_ = 0;
};

TEST_F(InterruptTest, CtrlCKeepsWhatIsCompleteAndLeavesNothingBehind) {
  // With seed 1 the good group comes first; the other one never ends by itself.
  start("ok,hang");
  const pid_t suite = measuring("fake/hang");
  ASSERT_GT(suite, 0);
  kill(pid_, SIGINT);
  const record::Run run = finished();
  EXPECT_TRUE(run.interrupted);
  for (const record::Process& process : run.processes) EXPECT_EQ(process.status, record::ProcessStatus::ok);
  EXPECT_FALSE(testing::is_running(suite));
  EXPECT_TRUE(std::filesystem::is_empty(scratch_));
}

TEST_F(InterruptTest, SecondCtrlCKillsAtOnceWhatIgnoresTheFirst) {
  start("stubborn");
  const pid_t suite = measuring("fake/stubborn");
  ASSERT_GT(suite, 0);
  kill(pid_, SIGTERM);
  kill(pid_, SIGINT);
  EXPECT_TRUE(finished().interrupted);
  EXPECT_FALSE(testing::is_running(suite));
  EXPECT_TRUE(std::filesystem::is_empty(scratch_));
}

TEST_F(InterruptTest, ASuiteKilledFromOutsideIsACrashAndTheOthersContinue) {
  start("ok,hang");
  const pid_t suite = measuring("fake/hang");
  ASSERT_GT(suite, 0);
  kill(suite, SIGKILL);
  const record::Run run = finished();
  EXPECT_FALSE(run.interrupted);
  ASSERT_EQ(run.processes.size(), 2U);
  for (const record::Process& process : run.processes) {
    const bool hung = process.group == "fake/hang";
    EXPECT_EQ(process.status, hung ? record::ProcessStatus::crashed : record::ProcessStatus::ok);
    EXPECT_EQ(process.signal, hung ? std::optional<std::int64_t>(SIGKILL) : std::nullopt);
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch_));
}

}  // namespace
}  // namespace torchgate::launch
