// SPDX-License-Identifier: Apache-2.0
// With a real Google Benchmark program without any part of torchgate (tests/fixtures/benchmarks), and with other programs.
#include "harness/launch/foreign/benchmark_process.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "harness/launch/listing.hpp"
#include "harness/record/script.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using record::CaseStatus;
using record::ProcessStatus;
namespace fs = std::filesystem;

/// A script in FOLDER that is started as a suite.
fs::path script(const fs::path& folder, const std::string& text, const std::string& first_line = "#!/bin/sh") {
  const fs::path path = folder / "script";
  std::ofstream(path) << first_line << "\n" << text << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

Request request_for(const fs::path& program, const std::string& filter) {
  Request request = testing::fake_request("");
  request.sides[0].suites = {program};
  request.plan.profile = "quick";
  request.plan.filter = filter;
  request.plan.processes = 2;
  return request;
}

record::Run run_of(const Request& request) {
  Observer nobody;
  auto run = measure(request, nobody);
  EXPECT_TRUE(run) << run.error().message;
  return *std::move(run);
}

std::map<std::string, record::CaseResult> results_of(const record::Run& run) {
  std::map<std::string, record::CaseResult> results;
  for (const auto& process : run.processes)
    for (const auto& result : process.cases) results.emplace(result.name, result);
  return results;
}

TEST(BenchmarkProcess, ListsWithoutMeasuring) {
  const auto forecast = launch::forecast(request_for(TORCHGATE_MANUAL_BENCHMARK, ".*"));
  ASSERT_TRUE(forecast) << forecast.error().message;
  std::vector<std::string> names;
  for (const auto& each : forecast->cases) names.push_back(each.name);
  for (const char* name : {"plain/BM_sum/20000", "plain/BM_fill<int, long>", "plain/Numbers/sort/1024",
                           "plain/BM_fails", "plain/BM_threads/threads:2", "plain/BM_measures_itself"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  EXPECT_TRUE(forecast->failed.empty());
  EXPECT_TRUE(forecast->seconds.has_value());
}

TEST(BenchmarkProcess, MeasuresWhatWasAskedFor) {
  const record::Run run =
      run_of(request_for(TORCHGATE_MANUAL_BENCHMARK, "BM_sum/2|sort/64$|BM_measures|BM_fails|a name"));
  EXPECT_EQ(run.processes.size(), 10U);  // five families, two processes
  const auto results = results_of(run);
  ASSERT_EQ(results.size(), 5U);
  const auto& sum = results.at("plain/BM_sum/20000");
  EXPECT_EQ(sum.status, CaseStatus::ok);
  EXPECT_EQ(sum.measurements.at(0).metric, "time");
  EXPECT_EQ(sum.measurements.at(0).samples.size(), 4U);  // repetitions of a quick run
  EXPECT_GT(sum.measurements.at(0).summary->median, 100);
  EXPECT_NEAR(results.at("plain/BM_measures_itself").measurements.at(0).summary->median, 1e6, 1);  // it says 1 ms
  EXPECT_EQ(results.at("plain/BM_fails").status, CaseStatus::failed);
  EXPECT_EQ(results.at("plain/BM_fails").message, "no such file");
  EXPECT_EQ(results.at("plain/Numbers/sort/64").status, CaseStatus::ok);  // its complexity rows are not cases
  for (const auto& warning : run.warnings) EXPECT_EQ(warning.find("aggregates"), std::string::npos) << warning;
  const auto is_sum = [](const auto& each) { return each.name == "plain/BM_sum/20000"; };
  EXPECT_EQ(std::find_if(run.cases.begin(), run.cases.end(), is_sum)->items_per_call, 20000);
}

// Both are measured by one process, and neither is the other.
TEST(BenchmarkProcess, BenchmarksOfOneNameAreNotPooled) {
  const record::Run run = run_of(request_for(TORCHGATE_MANUAL_BENCHMARK, "BM_assign"));
  const auto results = results_of(run);
  ASSERT_EQ(results.size(), 2U);
  const auto median = [&](const std::string& name) {
    const record::CaseResult& result = results.at(name);
    EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
    return result.measurements.empty() ? 0 : result.measurements.at(0).summary->median;
  };
  EXPECT_GT(median("plain/BM_assign#2"), 3 * median("plain/BM_assign"));  // 20,000 additions, and a copy of 4 kB
  EXPECT_EQ(results.at("plain/BM_assign").measurements.at(0).samples.size(), 4U);
  // One of them alone is asked for by its name as a case.
  const auto second = results_of(run_of(request_for(TORCHGATE_MANUAL_BENCHMARK, "BM_assign#2$")));
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second.begin()->first, "plain/BM_assign#2");
}

TEST(BenchmarkProcess, KnowsWhatTheProgramLoaded) {
  const record::Run run = run_of(request_for(TORCHGATE_MANUAL_BENCHMARK, "BM_sum"));
  ASSERT_FALSE(run.objects.empty());
  EXPECT_TRUE(run.objects[0].executable);
  EXPECT_EQ(run.objects[0].path, fs::canonical(TORCHGATE_MANUAL_BENCHMARK).string());
  EXPECT_EQ(run.objects[0].sha256.size(), 64U);
  const auto is_libc = [](const auto& object) { return object.soname == "libc.so.6" && object.system; };
  EXPECT_TRUE(std::any_of(run.objects.begin(), run.objects.end(), is_libc));
  for (const auto& process : run.processes) EXPECT_EQ(process.objects.size(), run.objects.size());
}

TEST(BenchmarkProcess, TheCodeOfAScriptIsInNoObject) {
  base::testing::TemporaryFolder folder;
  const std::string measure = std::string("\"") + TORCHGATE_MANUAL_BENCHMARK + "\" \"$@\"";
  for (const char* first_line : {"#!/bin/sh", "#!/usr/bin/env -S A=1 bash"}) {
    const fs::path becomes_another = script(folder.path(), "exec " + measure, first_line);
    for (const auto& process : run_of(request_for(becomes_another, "BM_sum")).processes)
      EXPECT_FALSE(record::is_script(process)) << first_line;
    // The shell stays, as an interpreter of a script does.
    const fs::path stays = script(folder.path(), measure + " || exit 1\nexit 0", first_line);
    const record::Run run = run_of(request_for(stays, "BM_sum"));
    ASSERT_FALSE(run.processes.empty());
    for (const auto& process : run.processes) {
      EXPECT_EQ(process.status, record::ProcessStatus::ok) << process.message;
      EXPECT_TRUE(record::is_script(process)) << first_line;
    }
  }
}

TEST(BenchmarkProcess, OneFilePerSideIsOneProgram) {
  base::testing::TemporaryFolder folder;
  const fs::path other = folder.path() / "other";
  fs::copy_file(TORCHGATE_MANUAL_BENCHMARK, other);
  Request request = request_for(other, "BM_sum/2");
  request.sides.push_back(request.sides[0]);
  request.sides[0].label = "before";
  request.sides[1].label = "after";
  request.sides[1].suites = {TORCHGATE_MANUAL_BENCHMARK};
  const record::Run run = run_of(request);
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].name, "plain/BM_sum/20000");
  EXPECT_EQ(run.processes.size(), 4U);
}

TEST(BenchmarkProcess, RecordsRawSamples) {
  // Where the program lost its CPU between two samples, they are not what it measured, and its means are used: then once more.
  constexpr int attempts = 5;
  std::map<std::string, record::CaseResult> results;
  const auto raw_samples = [&] {
    return results.at("with_raw_samples/BM_sum/20000").measurements.at(0).samples.size();
  };
  for (int attempt = 0; attempt < attempts && (results.empty() || raw_samples() <= 100); ++attempt)
    results = results_of(run_of(request_for(TORCHGATE_RAW_BENCHMARK, "BM_sum|BM_memcpy/1024")));
  EXPECT_GT(raw_samples(), 100U);
  const auto& plain = results.at("with_raw_samples/BM_memcpy/1024");  // does not use the header
  EXPECT_EQ(plain.measurements.at(0).samples.size(), 4U);
}

TEST(BenchmarkProcess, WhatIsNeitherIsSaidToBeNeither) {
  base::testing::TemporaryFolder folder;
  ListingOptions options;
  const auto message = [&](const std::string& text) {
    const auto listing = list_suites({script(folder.path(), text), TORCHGATE_MANUAL_BENCHMARK}, options, folder.path());
    EXPECT_TRUE(listing);
    EXPECT_EQ(listing->suites.size(), 1U);
    return listing->failed.at(0).process.message;
  };
  const std::string echoes = message("echo \"$@\"");
  EXPECT_NE(echoes.find("not a torchgate suite"), std::string::npos) << echoes;
  EXPECT_NE(echoes.find("as a Google Benchmark program (--benchmark_list_tests=true)"), std::string::npos) << echoes;
  // What fails for a reason of its own is not asked again.
  EXPECT_EQ(message("echo broken; exit 2").find("Google"), std::string::npos);
  // A program with its own words for an unknown flag is.
  EXPECT_NE(message("echo \"what is $1?\"; exit 64").find("Google"), std::string::npos);
}

TEST(BenchmarkProcess, AProgramThatABenchmarkEndsIsSaidToHaveEnded) {
  base::testing::TemporaryFolder folder;
  const fs::path program = script(
      folder.path(),
      "for each in \"$@\"; do case $each in --benchmark_out=*) printf '{\"benchmarks\": [' >\"${each#*=}\"; exit 0 "
      ";; esac; done\nexec " TORCHGATE_MANUAL_BENCHMARK " \"$@\"");
  const record::Run run = run_of(request_for(program, "plain|sort"));
  ASSERT_FALSE(run.processes.empty());
  EXPECT_TRUE(run.processes.front().message.starts_with(
      "ended with exit code 0 before its result was complete: a benchmark called exit() or _exit()"))
      << run.processes.front().message;
}

TEST(BenchmarkProcess, MoreNamesThanARecordMayHaveAreRefused) {
  base::testing::TemporaryFolder folder;
  const auto listing =
      list_suites({script(folder.path(), "seq 1 100001"), TORCHGATE_MANUAL_BENCHMARK}, {}, folder.path());
  ASSERT_TRUE(listing);
  const std::string& message = listing->failed.at(0).process.message;
  EXPECT_NE(message.find("lists 100001 names; a suite has at most 100000 cases"), std::string::npos) << message;
}

// The same lines with and without a filter: as many comparisons as lines, not their square.
TEST(BenchmarkProcess, LinesThatItAlwaysPrintsAreFoundAmongManyNames) {
  base::testing::TemporaryFolder folder;
  const std::string text =
      "seq -f line%.0f 1 50000\ncase \"$*\" in *nothing*) echo 'Failed to match any benchmarks against regex' >&2;; *) "
      "seq -f "
      "BM_x/%.0f 1 40000; echo line1;; esac";
  const auto listing = list_suites({script(folder.path(), text)}, {}, folder.path());
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_EQ(listing->suites.size(), 1U) << listing->failed.at(0).process.message;
  EXPECT_EQ(listing->suites[0].listing.cases.size(), 40'001U) << "40,000 benchmarks, and the line that came once more";
}

TEST(BenchmarkProcess, ALimitHoldsForAllStartsOfAListingTogether) {
  base::testing::TemporaryFolder folder;
  ListingOptions options;
  options.limit = std::chrono::seconds(3);  // of all programs together
  const auto listing = list_suites(
      {script(folder.path(), "case \"$*\" in *--benchmark*) sleep 1000;; esac"), TORCHGATE_MANUAL_BENCHMARK}, options,
      folder.path());
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_NE(listing->failed.at(0).process.message.find("killed after its time limit"), std::string::npos)
      << listing->failed.at(0).process.message;
}

TEST(BenchmarkProcess, AProgramThatPrintsItsOwnLinesAndIgnoresFlagsIsUnderstood) {
  base::testing::TemporaryFolder folder;
  // main() prints a banner, and does not complain about flags that it does not know.
  const fs::path wrapper =
      script(folder.path(),
             "echo Welcome to my benchmarks\nfor flag in \"$@\"; do case $flag in --torchgate*) ;; *) set -- \"$@\" "
             "\"$flag\";; esac; shift; done\nexec " TORCHGATE_MANUAL_BENCHMARK " \"$@\"");
  const auto listing = list_suites({wrapper}, {}, folder.path());
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_EQ(listing->suites.size(), 1U) << listing->failed.at(0).process.message;
  for (const auto& each : listing->suites[0].listing.cases) EXPECT_EQ(each.name.find("Welcome"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::launch
