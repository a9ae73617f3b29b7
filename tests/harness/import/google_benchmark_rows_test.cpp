// SPDX-License-Identifier: Apache-2.0
// Rows that do not say what they are: as Google Benchmark writes them, and benchmarks that are called like aggregates.
#include "harness/import/google_benchmark_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/import/google_benchmark.hpp"
#include "harness/import/google_benchmark_csv.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::find_case;
using testing::names_of;

// Of blocks: "o" of one's own, "a" an aggregate, "A" the first one of a benchmark without repetitions.
std::string roles(const std::vector<RowBlock>& blocks) {
  std::string text;
  for (const BlockRole& role : roles_of(blocks)) text += !role.aggregate ? 'o' : role.begins && role.alone ? 'A' : 'a';
  return text;
}

TEST(GoogleBenchmarkRows, AggregatesFollowTheirRepetitions) {
  EXPECT_EQ(
      roles({{"a", 3, 90}, {"a_mean", 1, 3}, {"a_median", 1, 3}, {"a_stddev", 1, 3}, {"a_cv", 1, 3}, {"b", 3, 50}}),
      "oaaaao");
  EXPECT_EQ(roles({{"a", 3, 90}, {"a_mean", 1, 90}, {"a_stddev", 1, 90}, {"b", 3, 50}}), "oaao");  // version 1.0
  // Statistics of the program's own, and a file that ends in the middle.
  EXPECT_EQ(roles({{"a", 3, 90},
                   {"a_mean", 1, 3},
                   {"a_median", 1, 3},
                   {"a_stddev", 1, 3},
                   {"a_p99", 1, 3},
                   {"a_p999", 1, 3},
                   {"b", 3, 3}}),
            "oaaaaao");
  EXPECT_EQ(roles({{"a", 3, 90}, {"a_mean", 1, 3}}), "oa");
}

TEST(GoogleBenchmarkRows, AggregatesAlone) {
  EXPECT_EQ(roles({{"a_mean", 1, 5},
                   {"a_median", 1, 5},
                   {"a_stddev", 1, 5},
                   {"a_cv", 1, 5},
                   {"b_mean", 1, 5},
                   {"b_median", 1, 5},
                   {"b_stddev", 1, 5}}),
            "AaaaAaa");
  // The next benchmark's name begins like the last one's.
  EXPECT_EQ(roles({{"a_mean", 1, 5},
                   {"a_median", 1, 5},
                   {"a_stddev", 1, 5},
                   {"a_fast_mean", 1, 5},
                   {"a_fast_median", 1, 5},
                   {"a_fast_stddev", 1, 5}}),
            "AaaAaa");
  EXPECT_EQ(roles({{"a_mean", 1, 5}, {"a_stddev", 1, 5}, {"a_max", 1, 5}, {"b_mean", 1, 5}, {"b_stddev", 1, 5}}),
            "AaaAa");
}

TEST(GoogleBenchmarkRows, ABenchmarkBehindAggregatesIsOne) {
  const auto with = [](std::vector<RowBlock> more, std::string_view base = "train") {
    static std::vector<std::string> names;
    names.clear();
    names.reserve(8);
    std::vector<RowBlock> blocks{{base, 3, 1}};
    for (const char* statistic : {"_mean", "_median", "_stddev", "_cv"})
      blocks.push_back({names.emplace_back(std::string(base) + statistic), 1, 1});
    blocks.insert(blocks.end(), more.begin(), more.end());
    return roles(blocks);
  };
  EXPECT_EQ(with({{"train_large/8", 1, 1}, {"train_large/64", 1, 1}, {"eval", 3, 2}}), "oaaaaooo");
  EXPECT_EQ(with({{"train_large", 1, 1}, {"eval", 1, 1}}), "oaaaaoo") << "others have one row";
  EXPECT_EQ(with({{"train_max", 1, 1}, {"eval", 3, 1}}), "oaaaaao");
  EXPECT_EQ(with({{"train_max", 1, 1}, {"b_mean", 1, 1}, {"b_stddev", 1, 1}, {"b_max", 1, 1}, {"eval", 1, 1}}),
            "oaaaaaAaao")
      << "two benchmarks have it";
  EXPECT_EQ(with({{"train/repeats:3_max", 1, 1}, {"eval", 1, 1}}, "train/repeats:3"), "oaaaaao");
}

// What says how many repetitions the benchmarks of a file have: not an error, and not a row behind which the file may be cut off.
TEST(GoogleBenchmarkRows, AStatisticIsOneAlsoInAFileThatWasCutOff) {
  const std::vector<RowBlock> complete{{"a", 3, 9}, {"a_mean", 1, 3}, {"a_stddev", 1, 3}, {"a_p99", 1, 3},
                                       {"b", 3, 9}, {"b_mean", 1, 3}, {"b_stddev", 1, 3}};
  const auto with = [&](const std::vector<RowBlock>& more) {
    std::vector<RowBlock> blocks = complete;
    blocks.insert(blocks.end(), more.begin(), more.end());
    return roles(blocks);
  };
  EXPECT_EQ(with({{"c", 3, 7}}), "oaaaoaao");
  EXPECT_EQ(with({{"c", 1, 7}}), "oaaaoaao") << "cut off";
  EXPECT_EQ(with({{"c", 1, 1, true}, {"d", 3, 7}}), "oaaaoaaoo") << "an error";
  EXPECT_EQ(with({{"c", 1, 1, true}, {"d", 1, 7}}), "oaaaoaaoo");
  EXPECT_EQ(with({{"c", 1, 7}, {"d", 3, 7}}), "oaaooaaoo") << "a benchmark of one row";
  EXPECT_EQ(with({{"c", 1, 7}, {"d", 1, 7}}), "oaaooaaoo");
  EXPECT_EQ(roles({{"a", 3, 9}, {"a_mean", 1, 3}, {"a_stddev", 1, 3}, {"a_large", 1, 3}, {"c", 1, 7}}), "oaaoo")
      << "a may be the only one that is repeated";
}

TEST(GoogleBenchmarkRows, AnErrorBehindAggregatesIsOfABenchmark) {
  EXPECT_EQ(roles({{"a", 3, 1}, {"a_mean", 1, 1}, {"a_stddev", 1, 1}, {"a_large", 1, 1, true}, {"b", 3, 1}}), "oaaoo");
  const auto read = read_google_benchmark_csv(
      "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,"
      "error_message\n\"a\",1,8,8,ms,,,,,\n\"a\",1,9,9,ms,,,,,\n\"a_mean\",1,8,8,ms,,,,,\n\"a_stddev\",1,1,1,ms,,,,,\n"
      "\"a_large\",,,,,,,,true,\"no memory\"\n\"b\",1,8,8,ms,,,,,\n\"b\",1,9,9,ms,,,,,\n",
      "a.csv");
  ASSERT_TRUE(read);
  EXPECT_EQ(names_of(read->front()), (std::vector<std::string>{"a", "a_large", "b"}));
  EXPECT_EQ(find_case(read->front(), "a_large")->failure, "no memory");
}

TEST(GoogleBenchmarkRows, RowsBeforeTheirAggregatesAreRepetitions) {
  const auto read = read_google_benchmark_csv(
      "name,iterations,real_time,cpu_time,time_unit\n\"a\",1,8,8,ms\n\"a\",1,8,8,ms\n\"a\",1,9,9,ms\n"
      "\"a_mean\",3,8,8,ms\n\"a_stddev\",3,1,1,ms\n\"a_large/8\",3,2,2,ms\n\"b\",2,3,3,ms\n",
      "a.csv");
  ASSERT_TRUE(read);
  EXPECT_EQ(names_of(read->front()), (std::vector<std::string>{"a", "a_large/8", "b"}));
  EXPECT_EQ(find_case(read->front(), "a")->ambiguous, "") << "although others have one row";
}

// Each of two benchmarks of one name would have its aggregates behind it.
TEST(GoogleBenchmarkRows, RepetitionsBeforeTheirAggregatesMayBeFarApart) {
  const std::string rows =
      "name,iterations,real_time,cpu_time,time_unit\n\"a\",9,8,8,ms\n\"a\",9,8,8,ms\n\"a\",9,19,19,ms\n\"a\",9,20,20,"
      "ms\n";
  const auto alone = read_google_benchmark_csv(rows, "a.csv");
  ASSERT_TRUE(alone);
  EXPECT_NE(alone->front().cases.at(0).ambiguous, "");
  const auto with = read_google_benchmark_csv(rows + "\"a_mean\",4,13,13,ms\n\"a_stddev\",4,6,6,ms\n", "a.csv");
  ASSERT_TRUE(with);
  EXPECT_EQ(with->front().cases.at(0).ambiguous, "");
}

TEST(GoogleBenchmarkRows, AStatisticThatMayBeABenchmarkIsNamed) {
  const auto warnings = [](const std::string& rows) {
    const auto read = read_google_benchmark_csv("name,iterations,real_time,cpu_time,time_unit\n" + rows, "a.csv");
    EXPECT_TRUE(read);
    return read ? read->front().warnings : std::vector<std::string>();
  };
  const std::string aggregates =
      "\"a\",9,1,1,ms\n\"a\",9,2,2,ms\n\"a_mean\",2,1.5,1.5,ms\n\"a_median\",2,1.5,1.5,ms\n\"a_stddev\",2,0.7,0.7,ms\n";
  const std::string others = "\"b\",9,1,1,ms\n\"b\",9,2,2,ms\n";
  const auto found = warnings(aggregates + "\"a_max\",2,2,2,ms\n" + others);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found.front().find("ignored 1 row behind the aggregates of a benchmark"), std::string::npos);
  EXPECT_TRUE(warnings(aggregates + others).empty());
}

TEST(GoogleBenchmarkRows, BenchmarksAreCalledLikeAggregates) {
  EXPECT_EQ(roles({{"filter", 1, 1000}, {"filter_median", 1, 300}}), "oo");
  EXPECT_EQ(roles({{"filter", 1, 1000}, {"filter_mean", 1, 300}, {"filter_median", 1, 200}, {"filter_stddev", 1, 100}}),
            "oooo");
  EXPECT_EQ(roles({{"filter_mean", 1, 300}, {"filter_median", 1, 200}, {"filter_stddev", 1, 100}}),
            "ooo");                                                              // other numbers of iterations
  EXPECT_EQ(roles({{"filter_mean", 1, 300}, {"filter_median", 1, 300}}), "oo");  // stddev is always written
  EXPECT_EQ(roles({{"filter", 10, 1000}, {"filter_median", 10, 300}}), "oo");
  EXPECT_EQ(roles({{"filter", 2, 9},
                   {"filter_mean", 1, 2},
                   {"filter_median", 1, 2},
                   {"filter_stddev", 1, 2},
                   {"filter_median", 2, 7},
                   {"filter_median_mean", 1, 2},
                   {"filter_median_median", 1, 2},
                   {"filter_median_stddev", 1, 2}}),
            "oaaaoaaa");
  EXPECT_EQ(roles({{"_mean", 1, 5}, {"_median", 1, 5}, {"_stddev", 1, 5}}), "ooo");
  EXPECT_EQ(roles({}), "");
}

TEST(GoogleBenchmarkRows, MoreRowsThanOthersAreTwoBenchmarks) {
  EXPECT_EQ(usual_rows(std::vector<RowBlock>{{"a", 10, 1}, {"b", 10, 1}, {"c", 20, 1}}), 10);
  EXPECT_EQ(usual_rows(std::vector<RowBlock>{{"a", 10, 1}, {"b/repeats:40", 40, 1}, {"c", 1, 1}}), 10);  // c is cut off
  EXPECT_EQ(usual_rows(std::vector<RowBlock>{{"a", 10, 1}}), std::nullopt);
  EXPECT_EQ(usual_rows(std::vector<RowBlock>{{"a", 10, 1}, {"b", 3, 1}, {"c", 4, 1}}), std::nullopt);
  const std::vector<double> two{1, 1};
  EXPECT_NE(two_in_one_block(two, 1), "");
  EXPECT_EQ(two_in_one_block(two, 2), "");
}

TEST(GoogleBenchmarkRows, TwoLevelsAreTwoBenchmarks) {
  EXPECT_NE(two_in_one_block(std::vector<double>{217, 216, 0.05, 0.05}, std::nullopt), "");
  EXPECT_NE(two_in_one_block(std::vector<double>{50, 52, 51, 105, 110, 120}, std::nullopt), "");
  EXPECT_EQ(two_in_one_block(std::vector<double>{50, 52, 51, 90, 110, 120}, std::nullopt), "");
  EXPECT_EQ(two_in_one_block(std::vector<double>{300, 52, 51, 52, 53, 52}, std::nullopt), "");  // slow at first
  EXPECT_EQ(two_in_one_block(std::vector<double>{}, std::nullopt), "");
}

const std::string heading =
    "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_"
    "message\n";

std::string row(const std::string& name, const std::string& iterations, const std::string& time) {
  return '"' + name + "\"," + iterations + ',' + time + ',' + time + ",ns,,,,,\n";
}

ImportedProcess csv(const std::string& rows, const std::string& before = "") {
  auto read = read_google_benchmark_csv(before + heading + rows, "a.csv");
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(read->front()) : ImportedProcess();
}

TEST(GoogleBenchmarkRows, CsvOfComplexity) {
  const auto process =
      csv(row("c/8", "100", "4") + row("c/64", "100", "32") + "\"c_BigO\",,0.5,0.4,N,,,,,\n\"c_RMS\",,3,2,,,,,,\n" +
              row("c_RMS", "100", "9") + "\"d_BigO\",,,,,,,,true,\"no data\"\n",
          "2026-11-25T04:12:08+00:00\nRunning ./build/odd1\n");
  EXPECT_EQ(names_of(process), (std::vector<std::string>{"c/64", "c/8", "c_RMS", "d_BigO"}));
  EXPECT_EQ(find_case(process, "c_RMS")->time_ns, std::vector<double>{9});  // a benchmark of that name
  EXPECT_EQ(find_case(process, "d_BigO")->failure, "no data");
  EXPECT_EQ(process.program, "./build/odd1");
}

TEST(GoogleBenchmarkRows, CsvOfAggregatesAlone) {
  const auto process = csv(row("a_mean", "5", "10") + row("a_median", "5", "9") + row("a_stddev", "5", "1") +
                           row("a_cv", "5", "0.1") + row("b_mean", "5", "7") + row("b_stddev", "5", "1"));
  EXPECT_EQ(names_of(process), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(process.cases[0].time_ns, std::vector<double>{9});
  EXPECT_EQ(process.cases[1].time_ns, std::vector<double>{7});
}

TEST(GoogleBenchmarkRows, TwoOfOneNameHaveNoVerdict) {
  const auto apart = csv(row("x", "100", "5") + row("y", "100", "6") + row("x", "100", "50"));
  EXPECT_EQ(names_of(apart), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(apart.cases[0].ambiguous, "the file has it 2 times and does not tell them apart");
  EXPECT_EQ(apart.cases[0].time_ns, std::vector<double>{5});  // not pooled
  EXPECT_EQ(apart.cases[1].ambiguous, "");
  const auto together = csv(row("x", "100", "5") + row("x", "700", "50"));
  EXPECT_EQ(together.cases[0].ambiguous,
            "its rows have 100 and 700 iterations, and repetitions have the same number of them");
  const auto repeated =
      csv(row("x", "2", "5") + row("x", "2", "5") + row("x_mean", "2", "5") + row("x_stddev", "2", "0") +
          row("x", "2", "6") + row("x", "2", "6") + row("x_mean", "2", "6") + row("x_stddev", "2", "0"));
  EXPECT_EQ(repeated.cases.size(), 1U);
  EXPECT_NE(repeated.cases[0].ambiguous, "");
}

// state.SkipWithMessage of version 1.8 on writes "false" and no numbers; in no version has such a row fields for counters.
TEST(GoogleBenchmarkRows, ASkippedBenchmarkHasItsReason) {
  const std::string skipped = "\"avx512\",,,,,,,,false,\"no \"\"AVX-512\"\", here\"\n";
  const auto process = csv(row("a", "100", "5") + skipped + "\"b_RMS\",,,,,,,,false,\"\"\n" + row("c", "100", "6"));
  EXPECT_EQ(names_of(process), (std::vector<std::string>{"a", "avx512", "b_RMS", "c"}));
  EXPECT_EQ(process.cases[1].skipped, "no \"AVX-512\", here");
  EXPECT_EQ(process.cases[1].failure, "");
  EXPECT_EQ(process.cases[2].skipped, "no reason given");
  EXPECT_EQ(process.cases[3].time_ns, std::vector<double>{6});
  std::string with_counter = heading;
  with_counter.insert(with_counter.size() - 1, ",\"depth\"");
  const std::string failed = "\"gpu\",,,,,,,,true,\"no device\"\n";
  const auto read = read_google_benchmark_csv(with_counter + "\"a\",1,5,5,ns,,,,,,3\n" + skipped + failed, "a.csv");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(find_case(read->front(), "avx512")->skipped, "no \"AVX-512\", here");
  EXPECT_EQ(find_case(read->front(), "gpu")->failure, "no device");
  EXPECT_EQ(find_case(read->front(), "a")->metrics.size(), 1U);
}

// A counter of the program may be called as a column of the library.
TEST(GoogleBenchmarkRows, ADuplicateColumnIsAnError) {
  for (const std::string column : {"real_time", "label", "name"}) {
    std::string twice = heading;
    twice.insert(twice.size() - 1, ",\"" + column + '"');
    const auto read = read_google_benchmark_csv("Running ./bench\n" + twice + row("a", "1", "5"), "a.csv");
    ASSERT_FALSE(read) << column;
    EXPECT_EQ(read.error().message,
              "a.csv:2: the heading has the column \"" + column + "\" twice; rename the program's counter");
  }
}

// CsvEscape doubles quotes and keeps line breaks.
TEST(GoogleBenchmarkRows, AFieldMayHaveLineBreaks) {
  const std::string rows = "\"gpu\",,,,,,,,true,\"CUDA error: out of memory\nCompile with \"\"DSA\"\"\n\"\n" +
                           std::string("\"a\",100,5,5,ns,,,\"first\r\nsecond\",,\r\n") + row("b", "100", "6");
  const auto process = csv(rows);
  EXPECT_EQ(names_of(process), (std::vector<std::string>{"a", "b", "gpu"}));
  EXPECT_EQ(find_case(process, "gpu")->failure, "CUDA error: out of memory\nCompile with \"DSA\"\n");
  EXPECT_EQ(find_case(process, "a")->time_ns, std::vector<double>{5});
  const auto error = [](const std::string& text) {
    const auto read = read_google_benchmark_csv(heading + text, "a.csv");
    return read ? "none" : read.error().message;
  };
  EXPECT_EQ(error(rows + "\"c\",1,fast,1,ns,,,,,\n"), "a.csv:8: real_time: expected a number, found \"fast\"");
  EXPECT_EQ(error(row("a", "1", "5") + "\"b\",,,,,,,,true,\"cut\noff"),
            "a.csv:3: a quote is missing at the end of a field, or there are too many fields");
}

// Whichever of them failed: the file does not say of which one a later row is.
TEST(GoogleBenchmarkRows, AFailureOfOneOfSeveralIsNotDropped) {
  const std::string failed = "\"x\",,,,,,,,true,\"no memory\"\n";
  for (const std::string& rows :
       {row("x", "100", "5") + row("y", "100", "6") + failed, failed + row("y", "100", "6") + row("x", "100", "5")}) {
    const auto process = csv(rows);
    EXPECT_EQ(names_of(process), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(process.cases[0].failure, "no memory");
    EXPECT_NE(process.cases[0].ambiguous, "");
    EXPECT_EQ(process.cases[1].failure, "");
  }
}

TEST(GoogleBenchmarkRows, WhatIsNotOfTheTableIsNamed) {
  const auto error = [](const std::string& rows) {
    const auto read = read_google_benchmark_csv(heading + row("x", "1", "5") + rows, "a.csv");
    return read ? "none" : read.error().message;
  };
  EXPECT_NE(error("min number of neighbors 3\n").find("a.csv:3: not a row of the table: \"min number of neighbors 3\""),
            std::string::npos);
  EXPECT_NE(error(heading).find("a.csv:3: the results of another run begin here"), std::string::npos);
  EXPECT_NE(error("\"y\",1,2").find("the file is truncated"), std::string::npos);
}

TEST(GoogleBenchmarkRows, OfNoIterationHaveNoTime) {
  EXPECT_EQ(csv(row("x", "0", "5")).cases.at(0).failure, "a time of 0 iterations");
}

// An argument that the program calls "iterations" or "repeats" is not the setting of the library of that name.
TEST(GoogleBenchmarkRows, ArgumentsThatAreCalledLikeSettingsStay) {
  EXPECT_EQ(csv(row("x/iterations:100", "743", "5")).cases.at(0).name, "x/iterations:100");
  EXPECT_EQ(csv(row("x/iterations:743/repeats:3", "743", "5")).cases.at(0).name, "x");
  const auto json = [](const std::string& name, const std::string& rest) {
    const std::string text =
        R"({"context":{},"benchmarks":[{"name":")" + name + R"(","run_type":"iteration",)" + rest + "}]}";
    auto read = read_google_benchmark(testing::in_odd_pieces(text), "a.json");
    EXPECT_TRUE(read) << read.error().message;
    return read ? read->cases.at(0).name : "";
  };
  EXPECT_EQ(json("x/iterations:100", R"("iterations":743,"real_time":5)"), "x/iterations:100");
  EXPECT_EQ(json("x/iterations:743", R"("iterations":743,"real_time":5)"), "x");
  EXPECT_EQ(json("x/iterations:743", R"("real_time":5)"), "x");
  EXPECT_EQ(json("x/iterations:743", R"("iterations":0,"error_occurred":true)"), "x")
      << "how often it would have run is unknown";
  EXPECT_EQ(json("x/repeats:100", R"("repetitions":1,"iterations":9,"real_time":5)"), "x/repeats:100");
  EXPECT_EQ(json("x/repeats:3", R"("repetitions":3,"iterations":9,"real_time":5)"), "x");
}

}  // namespace
}  // namespace torchgate::import
