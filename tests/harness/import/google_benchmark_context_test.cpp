// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_context.hpp"

#include <gtest/gtest.h>

namespace torchgate::import {
namespace {

TEST(GoogleBenchmarkDate, IsReadInEveryFormItHasHad) {
  EXPECT_EQ(utc_of_google_benchmark_date("2016-08-02 17:44:46"), "2016-08-02T17:44:46.000Z");
  EXPECT_EQ(utc_of_google_benchmark_date("2026-11-21T05:03:47+00:00"), "2026-11-21T05:03:47.000Z");
  EXPECT_EQ(utc_of_google_benchmark_date("2026-12-31T23:30:00-01:30"), "2027-01-01T01:00:00.000Z");
  EXPECT_EQ(utc_of_google_benchmark_date("2024-03-01T00:30:00+05:30"), "2024-02-29T19:00:00.000Z");
  EXPECT_EQ(utc_of_google_benchmark_date("2024-03-01T00:30:00Z"), "2024-03-01T00:30:00.000Z");
}

TEST(GoogleBenchmarkDate, IsRefusedWhereItIsInvalid) {
  for (const char* date : {"", "yesterday", "2024-02-30 00:00:00", "2024-13-01 00:00:00", "2024-01-01 24:00:00",
                           "2024-01-01 00:60:00", "2024-01-01T00:00:00+1", "2024-01-01T00:00:00 UTC",
                           "1899-01-01 00:00:00", "2024-01-01T00:00:00+0a:00", "2024-01-01T00:00"}) {
    EXPECT_EQ(utc_of_google_benchmark_date(date), std::nullopt) << date;
  }
}

TEST(GoogleBenchmarkContext, GivesEachFactItsClass) {
  json::JsonReader reader(
      R"({"date": "2026-11-21T05:03:47+00:00", "host_name": "a", "num_cpus": 2, "mhz_per_cpu": 2700,
    "cpu_scaling_enabled": false, "load_avg": [1.5, 2], "commit": "abc", "build_flags": "-O3", "executable": "./bench", "nothing": {"n": 1},
    "caches": [{"type": "Data", "level": 1, "size": 49152, "num_sharing": 1}, {"type": "Unified", "level": 2, "size": 9}]})",
      "file.json");
  ImportedProcess process;
  read_google_benchmark_context(reader, process);
  ASSERT_FALSE(reader.failed()) << reader.error().message;
  EXPECT_EQ(process.started, "2026-11-21T05:03:47.000Z");
  using record::FactClass;
  const std::vector<record::MachineFact> expected = {
      {"host_name", "a", "", FactClass::warn},        {"num_cpus", "2", "", FactClass::host},
      {"mhz_per_cpu", "2700", "", FactClass::warn},   {"cpu_scaling_enabled", "false", "", FactClass::warn},
      {"commit", "abc", "", FactClass::info},         {"context: build_flags", "-O3", "", FactClass::warn},
      {"executable", "./bench", "", FactClass::info}, {"caches", "L1 Data 49152, L2 Unified 9", "", FactClass::host}};
  EXPECT_EQ(process.facts, expected);
  EXPECT_TRUE(process.warnings.empty());
}

// "shape" has "sha" in it, and "validate" has "date".
TEST(GoogleBenchmarkContext, OnlyWholeWordsNameWhatIsOfOneBuild) {
  const auto fact_of = [](const std::string& key, const std::string& value) {
    const std::string text = R"({")" + key + R"(": ")" + value + R"("})";
    json::JsonReader reader(text, "file.json");
    ImportedProcess process;
    read_google_benchmark_context(reader, process);
    EXPECT_EQ(process.facts.size(), 1U) << key;
    return process.facts.empty() ? record::MachineFact() : process.facts.front();
  };
  for (const char* key : {"shape", "shards", "shared_libs", "validate", "candidate", "updates", "precommit", "pidgin",
                          "timing", "hash", "sha256"})
    EXPECT_EQ(fact_of(key, "1024"),
              (record::MachineFact{std::string("context: ") + key, "1024", "", record::FactClass::warn}));
  for (const char* key : {"commit", "git_commit", "git-sha", "build.date", "buildDate", "gitCommit", "commitSHA",
                          "GIT_REVISION", "timestamp", "start_time", "run_id", "load_avg_1min"})
    EXPECT_EQ(fact_of(key, "1024"), (record::MachineFact{key, "1024", "", record::FactClass::info}));
  EXPECT_EQ(fact_of("git_hash", "0a1b2c3d").fact_class, record::FactClass::info);
}

TEST(GoogleBenchmarkContext, WarnsAsTheLibraryDoes) {
  json::JsonReader reader(R"({"cpu_scaling_enabled": true, "library_build_type": "debug"})", "file.json");
  ImportedProcess process;
  read_google_benchmark_context(reader, process);
  EXPECT_TRUE(process.warnings.empty()) << "of a program that torchgate starts, the machine is known";
  warn_of_conditions(process);
  ASSERT_EQ(process.warnings.size(), 2U);
  EXPECT_NE(process.warnings[0].find("CPU frequency scaling was enabled"), std::string::npos);
  EXPECT_NE(process.warnings[1].find("library is a debug build"), std::string::npos);
}

TEST(GoogleBenchmarkContext, SaysThatADateCannotBeRead) {
  json::JsonReader reader(R"({"date": "soon"})", "file.json");
  ImportedProcess process;
  process.file = "file.json";
  read_google_benchmark_context(reader, process);
  EXPECT_EQ(process.started, "");
  EXPECT_EQ(process.warnings, std::vector<std::string>{"file.json: invalid date \"soon\""});
}

}  // namespace
}  // namespace torchgate::import
