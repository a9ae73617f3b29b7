// SPDX-License-Identifier: Apache-2.0
// Every spelling of the table of units, what is not in it, and that README.md has the same words.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

using record::Direction;

TEST(Units, EveryNameOfATimeIsOne) {
  constexpr double s = 1e9;
  const std::vector<std::pair<double, std::vector<std::string>>> expected{
      {1e-3, {"ps", "picoseconds"}},
      {1, {"ns", "nsec", "nanosecond", "nanoseconds"}},
      {1e3, {"us", "usec", "\xc2\xb5s", "\xce\xbcs", "\xc2\xb5sec", "\xce\xbcsec", "microseconds"}},
      {1e6, {"ms", "msec", "millisecond", "Milliseconds"}},
      {s, {"s", "sec", "secs", "second", "seconds", "Sec"}},
      {60 * s, {"min", "mins", "minute", "minutes"}},
      {3600 * s, {"h", "hr", "hrs", "hour", "hours"}},
      {86400 * s, {"d", "day", "days"}}};
  for (const auto& [ns, names] : expected) {
    for (const std::string& name : names) {
      const UnitMeaning meaning = meaning_of_unit(name);
      EXPECT_EQ(meaning.kind, UnitKind::duration) << name;
      EXPECT_EQ(meaning.better, Direction::lower_is_better) << name;
      ASSERT_TRUE(meaning.ns) << name;
      EXPECT_DOUBLE_EQ(*meaning.ns, ns) << name;
      EXPECT_EQ(ns_per_unit(name), meaning.ns) << name;
    }
  }
  for (const char* const other : {"", "S", "MS", "m", "tps", "nsx", "seconds per"})
    EXPECT_FALSE(ns_per_unit(other)) << other;
}

// Each word of work, with each prefix, over each name of each time.
TEST(Units, EveryWorkPerEveryTimeIsARate) {
  for (const std::string_view word : work_words()) {
    for (const TimeUnit& time : time_units()) {
      for (const std::string_view name : time.names) {
        for (const char* const between : {"/", "_per_", " per ", "-per-", " / "}) {
          const std::string unit = std::string(word) + between + std::string(name);
          EXPECT_EQ(meaning_of_unit(unit).kind, UnitKind::rate) << unit;
          EXPECT_EQ(meaning_of_unit(unit).better, Direction::higher_is_better) << unit;
        }
      }
    }
    for (const std::string_view prefix : unit_prefixes()) {
      const std::string unit = std::string(prefix) + std::string(word) + "s/s";
      EXPECT_EQ(meaning_of_unit(unit).kind, UnitKind::rate) << unit;
    }
  }
  for (const char* const unit : {"ops/min",
                                 "ops/hr",
                                 "ops/day",
                                 "ops/time",
                                 "iter/sec",
                                 "MB/s",
                                 "MiB/s",
                                 "GB/s",
                                 "Gbit/s",
                                 "kreq/s",
                                 "Melem/s",
                                 "Mops/s",
                                 "queries/second",
                                 "batches/hour",
                                 "frames/s",
                                 "tokens/s",
                                 "tokens_per_second",
                                 "bytes_per_second",
                                 "requests per minute",
                                 "k ops/s",
                                 "B/s",
                                 "tx/s"})
    EXPECT_EQ(meaning_of_unit(unit).kind, UnitKind::rate) << unit;
}

TEST(Units, ATimePerAnythingIsATime) {
  for (const auto& [unit, ns] : std::vector<std::pair<std::string, double>>{{"ns/op", 1},
                                                                            {"us/iter", 1e3},
                                                                            {"\xce\xbcs/op", 1e3},
                                                                            {"ms/ggas", 1e6},
                                                                            {"s/frame", 1e9},
                                                                            {"sec/op", 1e9},
                                                                            {"min/op", 60e9},
                                                                            {"hr/request", 3600e9},
                                                                            {"ms per token", 1e6}}) {
    const UnitMeaning meaning = meaning_of_unit(unit);
    EXPECT_EQ(meaning.kind, UnitKind::time_per_work) << unit;
    EXPECT_EQ(meaning.better, Direction::lower_is_better) << unit;
    EXPECT_DOUBLE_EQ(meaning.ns.value_or(0), ns) << unit;
  }
  for (const char* const unit : {"B/op", "allocs/op", "KiB/op", "bytes/request", "allocations/iter"})
    EXPECT_EQ(meaning_of_unit(unit).kind, UnitKind::cost_per_work) << unit;
}

// More of these in a second may be better or worse: the direction is not guessed.
TEST(Units, WhatIsNotWorkSaysNothing) {
  for (const char* const unit : {"",
                                 "1",
                                 "%",
                                 "hit%",
                                 "tps",
                                 "Gbps",
                                 "MB",
                                 "Megabytes",
                                 "bytes",
                                 "errors/s",
                                 "allocs/s",
                                 "cache-misses/s",
                                 "ms/s",
                                 "J/s",
                                 "failed_requests/s",
                                 "page-faults/min",
                                 "mgas/s",
                                 "op/",
                                 "/s",
                                 "/",
                                 "ops",
                                 "per second",
                                 "widgets/op",
                                 "p99-ns/op",
                                 "rows/cols"})
    EXPECT_EQ(meaning_of_unit(unit).kind, UnitKind::unknown) << unit;
  EXPECT_EQ(meaning_of_unit(std::string(1000, 'k') + "ops/s").kind, UnitKind::unknown);
}

TEST(Units, ACounterIsCalledByItsUnit) {
  EXPECT_EQ(unit_in_name("tokens_per_second"), "tokens/s");
  EXPECT_EQ(unit_in_name("requests/s"), "requests/s");
  EXPECT_EQ(unit_in_name("frames_per_minute"), "frames/minute");
  EXPECT_EQ(unit_in_name("s_per_op"), "s/op");
  EXPECT_EQ(unit_in_name("bytes_per_request"), "bytes/request");
  EXPECT_EQ(unit_in_name("hit/miss"), "1");
  for (const char* const time : {"ns", "us", "ms", "milliseconds", "Seconds", "sec"})
    EXPECT_EQ(unit_in_name(time), time) << "a time";
  for (const char* const other : {"h", "s", "d", "min", "mins", "days", "hours"})
    EXPECT_EQ(unit_in_name(other), "1") << other;
  EXPECT_EQ(unit_in_name("cache_misses"), "1");
  EXPECT_EQ(unit_in_name("_per_second"), "1");
}

std::string words_of(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "`" : ", `") + std::string(word) + "`";
  return list;
}

TEST(Units, TheReadmeHasTheSameWords) {
  std::ifstream in(std::string(TORCHGATE_TESTS_DIR) + "/../harness/import/README.md");
  const std::string readme{std::istreambuf_iterator<char>(in), {}};
  std::string times;
  for (const TimeUnit& time : time_units()) times += (times.empty() ? "" : "; ") + words_of(time.names);
  for (const std::string& row :
       {"| times | " + times + " |\n", "| work | " + words_of(work_words()) + " |\n",
        "| costs | " + words_of(cost_words()) + " |\n", "| prefixes | " + words_of(unit_prefixes()) + " |\n"})
    EXPECT_NE(readme.find(row), std::string::npos) << "harness/import/README.md has to have the row:\n" << row;
}

}  // namespace
}  // namespace torchgate::import
