// SPDX-License-Identifier: Apache-2.0
// A writer that is killed at any instant leaves the old record, the new one, or none: never half of one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "harness/record/codec.hpp"
#include "tests/harness/record/example_record.hpp"
#include "tests/harness/record/temporary_folder.hpp"

namespace torchgate::record {
namespace {

constexpr int rounds = 30;

// Large enough that writing it takes most of the loop's time.
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

TEST(KilledWriter, NeverLeavesHalfARecord) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "run.json";
  const record::Run first = large_run("aaaaaaaaaaaaaaaa");
  const record::Run second = large_run("bbbbbbbbbbbbbbbb");
  std::mt19937 random(20260131);
  int whole = 0;
  for (int round = 0; round < rounds; ++round) {
    std::filesystem::remove(path);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_for_ever(first, second, path);
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 60'000);
    do {  // a reader at any instant sees a whole record or none
      auto seen = load_run(path);
      ASSERT_TRUE(seen.ok() || seen.error().code == ErrorCode::not_found) << seen.error().message;
    } while (std::chrono::steady_clock::now() < end);
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";

    auto left = load_run(path);
    if (!left) {
      ASSERT_EQ(left.error().code, ErrorCode::not_found) << left.error().message;
      continue;
    }
    ++whole;
    const auto samples = load_samples(*left, path);
    ASSERT_TRUE(samples.ok()) << samples.error().message;
    left->samples.reset();
    ASSERT_TRUE(*left == first || *left == second);
  }
  EXPECT_GT(whole, 0) << "no round got as far as a record: the test shows nothing";
}

}  // namespace
}  // namespace torchgate::record
