// SPDX-License-Identifier: Apache-2.0
// A writer that is killed at any instant leaves the old record, the new one, or none: never half of one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>

#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int rounds = 30;

// Large enough that writing it takes longer than all the rest.
record::Run large_run(const std::string& id) {
  record::Run run = testing::example_run();
  run.id = id;
  for (int copy = 0; copy < 200; ++copy) run.processes.push_back(run.processes[0]);
  for (Process& process : run.processes) {
    for (CaseResult& result : process.cases) {
      result.measurements[0].samples.assign(4, static_cast<double>(id[0]));
    }
  }
  return run;
}

[[noreturn]] void write_for_ever(record::Run first, record::Run second, const std::filesystem::path& path) {
  for (;;) {
    if (!save_run(first, path, true).ok() || !save_run(second, path, true).ok()) ::_exit(1);
  }
}

// Reads all the time, as a store's readers do, and kills the writer at a random instant: of its first record, or once there
// is one (`replacing`), of a later one.
void kill_while_writing(pid_t writer, const std::filesystem::path& path, bool replacing, Clock::duration delay) {
  auto end = Clock::now() + delay;
  for (bool seen = false; (replacing && !seen) || Clock::now() < end;) {
    const auto run = load_run(path);
    EXPECT_TRUE(run.ok() || run.error().code == base::ErrorCode::not_found) << run.error().message;
    if (replacing && !seen && run.ok()) end = Clock::now() + delay;
    seen = seen || run.ok();
    if (::waitpid(writer, nullptr, WNOHANG) != 0) FAIL() << "the writer ended by itself";
  }
  ::kill(writer, SIGKILL);
  EXPECT_EQ(::waitpid(writer, nullptr, 0), writer);
}

TEST(KilledWriter, NeverLeavesHalfARecord) {
  const base::testing::TemporaryFolder folder;
  const auto path = folder / "run.json";
  const record::Run first = large_run("aaaaaaaaaaaaaaaa");
  const record::Run second = large_run("bbbbbbbbbbbbbbbb");
  // How long one record takes here, so that the instants fall into the writing on any machine.
  record::Run timed = first;
  const auto begin = Clock::now();
  ASSERT_TRUE(save_run(timed, path, true).ok());
  const auto one_record = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);

  std::mt19937 random(20260131);
  for (int round = 0; round < rounds; ++round) {
    const bool replacing = round % 2 == 1;
    std::filesystem::remove(path);
    const pid_t writer = ::fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) write_for_ever(first, second, path);
    std::uniform_int_distribution<std::int64_t> microseconds(0, 2 * one_record.count());
    kill_while_writing(writer, path, replacing, std::chrono::microseconds(microseconds(random)));
    ASSERT_FALSE(HasFailure());

    auto left = load_run(path);
    if (!left) {
      ASSERT_EQ(left.error().code, base::ErrorCode::not_found) << left.error().message;
      ASSERT_FALSE(replacing) << "there was a record, and now there is none";
      continue;
    }
    const auto samples = load_samples(*left, path);
    ASSERT_TRUE(samples.ok()) << samples.error().message;
    left->samples.reset();
    ASSERT_TRUE(*left == first || *left == second);
  }
}

}  // namespace
}  // namespace torchgate::record
