// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "baselines/add.hpp"
#include "baselines/open_store.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

/// RUNS stored runs, a day and a commit apart; from the one numbered STEP on they take 30 % longer.
void store_runs(int runs, int step) {
  const auto store = baselines::open_store(".torchgate/store", baselines::OpenMode::create);
  ASSERT_TRUE(store) << store.error().message;
  for (int i = 0; i < runs; ++i) {
    // Never the same twice: a series without noise is another case.
    record::Run run = made_run(fmt::format("{:016x}", i + 1), (i >= step ? 1.3e5 : 1e5) * (1 + 0.002 * (i % 5)));
    run.created = fmt::format("2026-01-{:02}T12:00:00.000Z", i + 1);
    run.sides.front().source = {fmt::format("{:040x}", i + 1), false, std::nullopt};
    const auto added = baselines::add_run(**store, run, {true, false});
    ASSERT_TRUE(added) << added.error().message;
  }
}

TEST(HistoryCommand, FindsALevelChange) {
  const ProgramFolder folder;
  store_runs(28, 16);
  const Ran ran = folder.torchgate({"history", made_case, "--host", "host-a", "--json", "history.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "1 level change in 28 runs"));
  EXPECT_TRUE(has(read_text("history.json"), fmt::format("{:040x}", 17))) << "the first commit at the new level";
  const Ran here = folder.torchgate({"history", made_case});
  EXPECT_EQ(here.code, 0) << "without runs of this machine, those of the newest one";
  EXPECT_TRUE(has(here.out, "not comparable with these"));
}

// It is slow from commit 16 on; then commits 4 to 11, which are fast, are measured again.
TEST(HistoryCommand, OrdersRunsByTheirCommits) {
  const ProgramFolder folder;
  folder.make_repository();
  std::vector<std::string> commits;
  for (int i = 0; i < 28; ++i) commits.push_back(folder.commit(std::to_string(i)));
  const auto store = baselines::open_store(".torchgate/store", baselines::OpenMode::create);
  ASSERT_TRUE(store) << store.error().message;
  for (int i = 0; i < 36; ++i) {
    const int commit = i < 28 ? i : i - 24;
    record::Run run = made_run(fmt::format("{:016x}", i + 1), (commit >= 16 ? 1.3e5 : 1e5) * (1 + 0.002 * (i % 5)));
    run.created = fmt::format("2026-{:02}-{:02}T12:00:00.000Z", i < 28 ? 1 : 2, i % 28 + 1);
    run.sides.front().source = {commits[static_cast<std::size_t>(commit)], false, std::nullopt};
    ASSERT_TRUE(baselines::add_run(**store, run, {true, false}));
  }
  const Ran ran = folder.torchgate({"history", made_case, "--host", "host-a"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "1 level change in 36 runs"));
  EXPECT_TRUE(has(ran.out, "Old commits were measured after newer ones"));
  EXPECT_TRUE(has(ran.out, "first commit at the new level: " + commits[16].substr(0, 12)));
  ASSERT_EQ(folder.torchgate({"report", "--site", "site", "--host", "host-a"}).code, 0);
  EXPECT_FALSE(has(read_text("site/index.html"), "1 recovered"));
  EXPECT_TRUE(has(read_text("site/index.html"), "still slower"));
}

TEST(HistoryCommand, HasNoVerdictOfTooFewRuns) {
  const ProgramFolder folder;
  const Ran nothing = folder.torchgate({"history", made_case});
  EXPECT_EQ(nothing.code, 3);
  EXPECT_TRUE(has(nothing.err, "baseline add"));
  store_runs(2, 2);
  EXPECT_EQ(folder.torchgate({"history", made_case, "--host", "host-a"}).code, 3);
}

TEST(HistoryCommand, SaysThatNoStoredRunCanBeRead) {
  const ProgramFolder folder;
  store_runs(2, 2);
  for (const auto& file : std::filesystem::recursive_directory_iterator(".torchgate/store/runs"))
    if (file.is_regular_file()) write_text(file.path(), R"({"schema": "torchgate.run/2"})");  // of a newer torchgate
  const Ran ran = folder.torchgate({"history", made_case, "--host", "host-a"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(has(ran.err, "no stored run of host-a in .torchgate/store is usable (2 left out): run "));
  EXPECT_TRUE(has(ran.err, "torchgate.run/2"));
  const Ran site = folder.torchgate({"report", "--site", "site"});
  EXPECT_EQ(site.code, 3);
  EXPECT_TRUE(has(site.err, "no usable baseline of a commit: 2 runs are left out: "));
  EXPECT_TRUE(has(site.err, "torchgate.run/2"));
}

TEST(HistoryCommand, RefusesBadInput) {
  const ProgramFolder folder;
  store_runs(2, 2);
  EXPECT_EQ(folder.torchgate({"history"}).code, 2);
  EXPECT_EQ(folder.torchgate({"history", made_case, "--margin", "wide"}).code, 2);
  EXPECT_EQ(folder.torchgate({"history", made_case, "--alpha", "some"}).code, 2);
}

}  // namespace
}  // namespace torchgate::cli::testing
