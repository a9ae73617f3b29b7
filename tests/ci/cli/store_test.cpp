// SPDX-License-Identifier: Apache-2.0
// Between folders. What a database does: tests/baselines/postgresql_store_test.cpp.
#include <gtest/gtest.h>

#include "baselines/open_store.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

class StoreCommand : public ::testing::Test {
 protected:
  ProgramFolder folder_;
};

TEST_F(StoreCommand, CopiesWhatTheOtherStoreLacks) {
  const auto from = baselines::open_store("from", baselines::OpenMode::create).value();
  ASSERT_TRUE(from->put(made_run("aaaaaaaaaaaaaaaa", 1e5), false));
  const Ran copied = folder_.torchgate({"store", "copy", "from", "to"});
  EXPECT_EQ(copied.code, 0) << copied.err;
  EXPECT_TRUE(has(copied.out, "1 run added and verified, 0 already stored"));
  EXPECT_TRUE(
      has(folder_.torchgate({"store", "copy", "from", "to"}).out, "0 runs added and verified, 1 already stored"));
  EXPECT_EQ(folder_.torchgate({"baseline", "show", "aaaa", "--store", "to"}).code, 0);
}

TEST_F(StoreCommand, RefusesBadInput) {
  const Ran missing = folder_.torchgate({"store", "copy", "nothing", "to"});
  EXPECT_EQ(missing.code, 3) << missing.err;
  EXPECT_TRUE(has(missing.err, "nothing: no baseline store"));
  EXPECT_FALSE(has(missing.err, "baseline add")) << "it would fill another store";
  EXPECT_EQ(folder_.torchgate({"store", "copy", "from"}).code, 2);
  ASSERT_TRUE(baselines::open_store("from", baselines::OpenMode::create));
  for (const char* location : {"postgresql://ci:hunter2@%2Fnowhere/perf", "postgresql://ci:hun/ter2@db/perf"}) {
    for (const Ran& ran : {folder_.torchgate({"store", "copy", "from", location}),
                           folder_.torchgate({"store", "migrate", "--store", location}),
                           folder_.torchgate({"baseline", "list", "--store", location})}) {
      EXPECT_EQ(ran.code, 2) << ran.err;
      EXPECT_FALSE(has(ran.out + ran.err, "ter2"));
    }
  }
}

TEST_F(StoreCommand, ADifferentRunOfTheSameIdMakesTheCopyIncomplete) {
  const auto from = baselines::open_store("from", baselines::OpenMode::create).value();
  const auto to = baselines::open_store("to", baselines::OpenMode::create).value();
  ASSERT_TRUE(from->put(made_run("aaaaaaaaaaaaaaaa", 1e5), false));
  ASSERT_TRUE(to->put(made_run("aaaaaaaaaaaaaaaa", 2e5), false));
  const Ran copied = folder_.torchgate({"store", "copy", "from", "to"});
  EXPECT_EQ(copied.code, 2);
  EXPECT_TRUE(has(copied.err, "aaaaaaaaaaaaaaaa"));
  EXPECT_TRUE(has(copied.err, "incomplete copy"));
}

TEST_F(StoreCommand, MigratingAFolderMakesIt) {
  const Ran migrated = folder_.torchgate({"store", "migrate", "--store", "new"});
  EXPECT_EQ(migrated.code, 0) << migrated.err;
  EXPECT_EQ(folder_.torchgate({"baseline", "list", "--store", "new"}).code, 0);
}

}  // namespace
}  // namespace torchgate::cli::testing
