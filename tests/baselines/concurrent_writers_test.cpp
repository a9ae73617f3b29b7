// SPDX-License-Identifier: Apache-2.0
// Several processes write one folder store at once, and some are killed in the middle of it: what was acknowledged is
// there, and what is listed is whole.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "baselines/folder_store.hpp"
#include "harness/base/content_hash.hpp"
#include "tests/baselines/forked_writer.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Store> open(const fs::path& folder) {
  return open_folder_store(folder, OpenMode::create).value();
}

/// Big enough that writing it takes several system calls.
record::Run run_with_many_samples(unsigned number) {
  auto run = sample_run(number, commit("aa" + std::to_string(number % 10)));
  auto& measurement = run.processes[0].cases[0].measurements[0];
  for (int i = 0; i < 20'000; ++i) measurement.samples.push_back(1000.0 + number + i);
  measurement.summary->n = static_cast<std::int64_t>(measurement.samples.size());
  return run;
}

std::string object_content(unsigned number) {
  return std::string(300'000, static_cast<char>('a' + number % 26)) + id(number);
}

/// Puts runs FIRST, FIRST + 1, ... with an object each, and writes a run's number to ACKNOWLEDGE when both are kept.
void write_runs(const fs::path& folder, unsigned first, unsigned count, int acknowledge) {
  const auto store = open(folder);
  for (unsigned number = first; number < first + count; ++number) {
    const auto source = folder.parent_path() / ("source-" + std::to_string(number));
    write(source, object_content(number));
    if (!store->put_object(source, base::sha256(object_content(number)))) ::_exit(1);
    if (!store->put(run_with_many_samples(number), true)) ::_exit(1);
    if (::write(acknowledge, &number, sizeof number) != sizeof number) ::_exit(1);
  }
}

Writer start_writer(const fs::path& folder, unsigned first, unsigned count) {
  return fork_writer([&](int acknowledge) { write_runs(folder, first, count, acknowledge); });
}

bool is_alive(const Writer& writer) {
  siginfo_t ended{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(writer.process), &ended, WEXITED | WNOHANG | WNOWAIT), 0);
  return ended.si_pid == 0;
}

/// Waits for the end of WRITER and adds what it acknowledged.
void finish(const Writer& writer, std::set<unsigned>& acknowledged) {
  unsigned number = 0;
  while (::read(writer.acknowledged, &number, sizeof number) == sizeof number) acknowledged.insert(number);
  ::close(writer.acknowledged);
  ::waitpid(writer.process, nullptr, 0);
}

/// Every run that is listed can be read, with all its samples. Gives their ids.
std::set<std::string> listed_and_whole(const Store& store) {
  std::set<std::string> ids;
  const auto entries = store.list({});
  EXPECT_TRUE(entries);
  for (const auto& entry : *entries) {
    ids.insert(entry.id);
    auto run = store.load(entry.id);
    EXPECT_TRUE(run) << run.error().message;
    if (!run) continue;
    const auto samples = store.load_samples(*run);
    EXPECT_TRUE(samples) << samples.error().message;
    EXPECT_EQ(run->processes[0].cases[0].measurements[0].samples.size(), 20'003U);
  }
  return ids;
}

void expect_kept(const fs::path& folder, const std::set<unsigned>& acknowledged) {
  const auto store = open(folder);
  const auto ids = listed_and_whole(*store);
  for (const unsigned number : acknowledged) {
    EXPECT_TRUE(ids.contains(id(number))) << number;
    const auto out = folder.parent_path() / "out";
    const auto object = store->get_object(base::sha256(object_content(number)), out);
    EXPECT_TRUE(object) << object.error().message;
    fs::remove(out);
  }
}

TEST(ConcurrentWriters, AReaderSeesWholeRunsOnly) {
  const base::testing::TemporaryFolder scratch;
  const auto folder = scratch.path() / "store";
  const auto store = open(folder);
  constexpr unsigned writers = 4;
  constexpr unsigned runs_each = 15;
  std::vector<Writer> started;
  for (unsigned i = 0; i < writers; ++i) started.push_back(start_writer(folder, 1 + i * runs_each, runs_each));
  std::size_t read_while_writing = 0;
  while (std::any_of(started.begin(), started.end(), is_alive)) read_while_writing += listed_and_whole(*store).size();
  EXPECT_GT(read_while_writing, 0U);

  std::set<unsigned> acknowledged;
  for (const auto& writer : started) finish(writer, acknowledged);
  EXPECT_EQ(acknowledged.size(), writers * runs_each);
  EXPECT_EQ(store->list({}).value().size(), writers * runs_each);
  expect_kept(folder, acknowledged);
}

TEST(ConcurrentWriters, AKilledWriterLosesNothingThatWasAcknowledged) {
  const base::testing::TemporaryFolder scratch;
  const auto folder = scratch.path() / "store";
  open(folder);
  std::mt19937 random(20261120);
  std::uniform_int_distribution<int> microseconds(0, 20'000);
  std::set<unsigned> acknowledged;
  unsigned next = 1;
  constexpr unsigned more_than_can_be_written = 1000;
  for (int round = 0; round < 40; ++round) {
    std::vector<Writer> started;
    for (int i = 0; i < 2; ++i, next += more_than_can_be_written)
      started.push_back(start_writer(folder, next, more_than_can_be_written));
    unsigned first = 0;
    ASSERT_EQ(::read(started[0].acknowledged, &first, sizeof first), static_cast<ssize_t>(sizeof first));
    acknowledged.insert(first);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    for (const auto& writer : started) ::kill(writer.process, SIGKILL);
    for (const auto& writer : started) finish(writer, acknowledged);
    ASSERT_TRUE(open(folder)->list({}));
  }
  expect_kept(folder, acknowledged);
  EXPECT_EQ(open(folder)->put(run_with_many_samples(next), true).value(), PutOutcome::added)
      << "no lock of a dead process stays";
}

}  // namespace
}  // namespace torchgate::baselines::testing
