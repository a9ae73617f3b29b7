// SPDX-License-Identifier: Apache-2.0
#include "baselines/entry_name.hpp"

#include <gtest/gtest.h>

#include "baselines/safe_name.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

TEST(EntryName, IsTimeCommitAndId) {
  const Entry entry{"0123456789abcdef", host, "2026-11-21T01:23:45.678Z", "1a2b3c4d5e6f"};
  EXPECT_EQ(file_name(entry), "20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json");
  EXPECT_EQ(parse_file_name(file_name(entry), host), entry);
}

TEST(EntryName, SaysWhenThereIsNoCommit) {
  const Entry entry{"0123456789abcdef", host, "2026-11-21T01:23:45.678Z", std::nullopt};
  EXPECT_EQ(file_name(entry), "20261121T012345.678Z-nocommit-0123456789abcdef.json");
  EXPECT_EQ(parse_file_name(file_name(entry), host), entry);
}

TEST(EntryName, SortsByTime) {
  auto earlier = entry_of(sample_run(9), true).value();
  auto later = entry_of(sample_run(10), true).value();
  EXPECT_LT(file_name(earlier), file_name(later));
}

TEST(EntryName, ATimeIsOneThatExists) {
  auto run = sample_run(1);
  for (const char* time : {"2025-02-30T00:00:00.000Z", "2025-99-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z",
                           "2025-01-01T24:00:00.000Z", "2025-01-01T00:00:60.000Z", "2025-01-01T00:00:00Z"}) {
    run.created = time;
    EXPECT_FALSE(entry_of(run, true)) << time;
  }
  run.created = "2024-02-29T23:59:59.999Z";
  EXPECT_TRUE(entry_of(run, true));
}

TEST(EntryName, TakesLongHashesToo) {
  auto run = sample_run(1, std::string(64, 'a'));
  EXPECT_EQ(entry_of(run, true).value().commit, std::string(12, 'a'));
  EXPECT_FALSE(entry_of(sample_run(1, std::string(63, 'a')), true));
  EXPECT_FALSE(entry_of(sample_run(1, std::string(40, 'A')), true));
}

TEST(EntryName, FolderNames) {
  for (const char* name : {"a", "x86_64-xeon-6975p-2cpu-3f9a2c1b", "A.b_c-9"})
    EXPECT_TRUE(is_safe_folder_name(name)) << name;
  for (const char* name : {"", ".", "..", ".git", "a/b", "a b", "a\nb", "a:b", "\xc3\xa4"})
    EXPECT_FALSE(is_safe_folder_name(name)) << name;
  EXPECT_FALSE(is_safe_folder_name(std::string(129, 'a')));
  EXPECT_FALSE(is_safe_folder_name(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace torchgate::baselines::testing
