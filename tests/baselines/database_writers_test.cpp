// SPDX-License-Identifier: Apache-2.0
// Several processes write one store in a database at once, and all are killed in the middle of it: what was acknowledged is stored, and what
// is listed is whole. TORCHGATE_WRITERS=500: as many as the study had (tests/studies/README.md).
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "baselines/postgresql/postgresql_store.hpp"
#include "tests/baselines/forked_writer.hpp"
#include "tests/baselines/postgresql_server.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

unsigned writers_wanted() {
  constexpr unsigned small_instance = 20;
  const char* const given = std::getenv("TORCHGATE_WRITERS");
  return given == nullptr ? small_instance : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

/// Puts runs FIRST, FIRST + 1, ... and writes the number of each when it is stored.
Writer start_writer(const std::string& url, unsigned first, unsigned count) {
  return fork_writer([&](int acknowledge) {
    // As many as the server takes at once write; the others wait for their turn.
    const auto store = open_postgresql_store(url, OpenMode::existing, std::chrono::minutes(5));
    if (!store) ::_exit(1);
    for (unsigned number = first; number < first + count; ++number) {
      if (!(*store)->put(sample_run(number), true)) ::_exit(1);
      if (::write(acknowledge, &number, sizeof number) != sizeof number) ::_exit(1);
    }
  });
}

void finish(const Writer& writer, std::set<std::string>& acknowledged) {
  unsigned number = 0;
  while (::read(writer.acknowledged, &number, sizeof number) == sizeof number) acknowledged.insert(id(number));
  ::close(writer.acknowledged);
  ::waitpid(writer.process, nullptr, 0);
}

/// Reads what WRITERS acknowledge until there are COUNT; fewer where they end.
void read_until(const std::vector<Writer>& writers, std::size_t count, std::set<std::string>& acknowledged) {
  std::vector<pollfd> ends;
  for (const Writer& writer : writers) ends.push_back({writer.acknowledged, POLLIN, 0});
  while (acknowledged.size() < count && ::poll(ends.data(), ends.size(), -1) > 0) {
    for (pollfd& end : ends) {
      if (end.revents == 0) continue;
      unsigned number = 0;
      if (::read(end.fd, &number, sizeof number) == sizeof number) {
        acknowledged.insert(id(number));
      } else {
        end.fd = -1;  // it ended, and poll() leaves it out
      }
    }
    if (std::all_of(ends.begin(), ends.end(), [](const pollfd& end) { return end.fd < 0; })) return;
  }
}

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
  }
  return ids;
}

TEST(DatabaseWriters, EightAtOnceAddAllTheirRuns) {
  const std::string url = PostgresqlServer::get()->url("eight_writers");
  const auto store = open_postgresql_store(url, OpenMode::create).value();
  constexpr unsigned writers = 8;
  constexpr unsigned runs_each = 10;
  std::vector<Writer> started;
  for (unsigned i = 0; i < writers; ++i) started.push_back(start_writer(url, 1 + i * runs_each, runs_each));
  std::set<std::string> acknowledged;
  for (const Writer& writer : started) finish(writer, acknowledged);
  EXPECT_EQ(acknowledged.size(), writers * runs_each);
  EXPECT_EQ(listed_and_whole(*store), acknowledged);
  EXPECT_EQ(PostgresqlServer::get()->sql("eight_writers", "SELECT count(*) FROM torchgate_values"), "80");
}

TEST(DatabaseWriters, KilledOnesLoseNothingThatWasAcknowledged) {
  const std::string url = PostgresqlServer::get()->url("killed_writers");
  const auto store = open_postgresql_store(url, OpenMode::create).value();
  const unsigned writers = writers_wanted();
  constexpr unsigned more_than_can_be_written = 100'000;
  std::vector<Writer> started;
  for (unsigned i = 0; i < writers; ++i)
    started.push_back(start_writer(url, 1 + i * more_than_can_be_written, more_than_can_be_written));
  std::set<std::string> acknowledged;
  read_until(started, 3 * static_cast<std::size_t>(writers), acknowledged);
  // One after the other, so that the server is busy with all of the others at each kill.
  for (const Writer& writer : started) {
    ::kill(writer.process, SIGKILL);
    finish(writer, acknowledged);
  }
  EXPECT_GE(acknowledged.size(), 3 * static_cast<std::size_t>(writers));
  const auto listed = listed_and_whole(*store);
  for (const std::string& run : acknowledged) EXPECT_TRUE(listed.contains(run)) << run;
  std::printf("%u writers killed: %zu runs acknowledged, %zu stored\n", writers, acknowledged.size(), listed.size());
  EXPECT_EQ(store->put(sample_run(1 + writers * more_than_can_be_written), true).value(), PutOutcome::added)
      << "no lock of a dead process stays";
}

}  // namespace
}  // namespace torchgate::baselines::testing
