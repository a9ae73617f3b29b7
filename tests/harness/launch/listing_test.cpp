// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/listing.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using base::ErrorCode;
using record::ProcessStatus;
namespace fs = std::filesystem;

class ListingTest : public ::testing::Test {
 protected:
  base::Result<Listing> list(const std::vector<fs::path>& suites, const std::string& how = "") {
    ListingOptions options;
    options.environment = {{"FAKE_GROUPS", "ok,skip"}, {"FAKE_LISTING", how}};
    options.limit = std::chrono::milliseconds(how == "hang" ? 100 : 60'000);
    return list_suites(suites, options, folder_.path());
  }
  /// What becomes of a suite that is asked together with a good one.
  record::Process failed(const fs::path& suite) {
    const auto listing = list({suite, TORCHGATE_FAKE_SUITE});
    EXPECT_TRUE(listing) << listing.error().message;
    EXPECT_EQ(listing->suites.size(), 1U);
    EXPECT_EQ(listing->failed.size(), 1U);
    return listing->failed.at(0).process;
  }
  fs::path file(const std::string& name, fs::perms mode) {
    std::ofstream(folder_.path() / name) << "#!/bin/sh\nexit 0\n";
    fs::permissions(folder_.path() / name, mode);
    return folder_.path() / name;
  }
  base::testing::TemporaryFolder folder_;
};

TEST_F(ListingTest, AsksASuiteWhatItHas) {
  const auto listing = list({TORCHGATE_FAKE_SUITE});
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_EQ(listing->suites.size(), 1U);
  const record::ProcessReport& report = listing->suites[0].listing;
  EXPECT_EQ(report.suite, "fake");
  EXPECT_EQ(report.groups.size(), 2U);
  EXPECT_EQ(report.cases.size(), 4U);
  EXPECT_EQ(report.cases[2].skipped, "no CUDA device");
  EXPECT_TRUE(listing->failed.empty());
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(ListingTest, WhatIsNotAProgramIsNotStarted) {
  const auto made = [&](const char* name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    fs::permissions(folder_.path() / name, fs::perms::owner_all);
    return folder_.path() / name;
  };
  const fs::path sparse = made("sparse", "");
  fs::resize_file(sparse, std::uintmax_t{1} << 40U);  // hashing it would take an hour
  const fs::path pipe = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0700), 0);
  const std::string object_file = std::string(
                                      "\x7f"
                                      "ELF") +
                                  std::string(12, '\0') + '\1' + std::string(100, '\0');
  for (const auto& [path, says] : std::vector<std::pair<fs::path, std::string>>{
           {sparse, "not a program: it begins neither like an ELF executable nor with \"#!\""},
           {made("empty", ""), "not a program"},
           {made("short", "#"), "not a program"},
           {made("text", "echo no interpreter\n"), "not a program"},
           {made("object.o", object_file), "not a program"},
           {pipe, "found a pipe"},
           {"/dev/zero", "found a device"}}) {
    const record::Process process = failed(path);
    EXPECT_EQ(process.status, ProcessStatus::not_started) << path;
    EXPECT_NE(process.message.find(says), std::string::npos) << process.message;
  }
}

TEST_F(ListingTest, OneThatFailsIsKeptAndTheOthersContinue) {
  const record::Process not_a_suite = failed("/bin/true");
  EXPECT_EQ(not_a_suite.status, ProcessStatus::not_a_suite);
  EXPECT_EQ(not_a_suite.suite, "true");
  EXPECT_EQ(
      not_a_suite.message,
      "listing its cases failed: ended normally without a report: not a torchgate suite\nstarted as a Google "
      "Benchmark program (--benchmark_list_tests=true): --benchmark_list_tests=true and --benchmark_filter are not "
      "supported");
  EXPECT_EQ(failed("/bin/false").status, ProcessStatus::failed);
  EXPECT_EQ(failed("/no/such/suite").status, ProcessStatus::not_started);
  EXPECT_EQ(failed(file("plain", fs::perms::owner_read)).status, ProcessStatus::not_started);
}

TEST_F(ListingTest, SaysHowItFailed) {
  const auto status = [&](const std::string& how) {
    const auto listing = list({TORCHGATE_FAKE_SUITE}, how);
    EXPECT_TRUE(listing) << how;
    return listing->failed.at(0).process;
  };
  EXPECT_EQ(status("crash").status, ProcessStatus::crashed);
  EXPECT_EQ(status("hang").status, ProcessStatus::timed_out);
  EXPECT_EQ(status("hang").message, "listing its cases failed: killed after its time limit of 0.1 s");
  EXPECT_EQ(status("garbage").status, ProcessStatus::bad_report);
  EXPECT_EQ(status("silent").status, ProcessStatus::not_a_suite);
  EXPECT_EQ(status("exit3").message, "listing its cases failed: ended with exit code 3\nlast output:\ncannot go on");
}

TEST_F(ListingTest, NothingThatStartsIsAnError) {
  const auto listing = list({"/no/such/suite", "/no/such/other"});
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().code, ErrorCode::bad_input);
  EXPECT_EQ(
      listing.error().message,
      "cannot start /no/such/suite: No such file or directory; cannot start /no/such/other: No such file or directory");
}

TEST_F(ListingTest, TwoSuitesOfOneNameAreAnError) {
  const fs::path copy = folder_.path() / "copy";
  fs::copy_file(TORCHGATE_FAKE_SUITE, copy);
  const auto listing = list({TORCHGATE_FAKE_SUITE, copy});
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().code, ErrorCode::bad_input);
  EXPECT_NE(listing.error().message.find(copy.string()), std::string::npos);
}

TEST_F(ListingTest, AFolderIsEveryExecutableFileDirectlyInIt) {
  file("b_suite", fs::perms::owner_all);
  file("a_suite", fs::perms::owner_all);
  file("notes.txt", fs::perms::owner_read);
  file("libtested.so", fs::perms::owner_all);
  file("libtested.so.1.2", fs::perms::owner_all);
  fs::create_directory(folder_.path() / "sub");
  std::ofstream(folder_.path() / "sub" / "deep") << "";
  fs::permissions(folder_.path() / "sub" / "deep", fs::perms::owner_all);
  const auto found = find_suites({folder_.path()});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (std::vector<fs::path>{folder_.path() / "a_suite", folder_.path() / "b_suite"}));
}

TEST_F(ListingTest, TheSameFileTwiceIsOneSuite) {
  const fs::path suite = file("suite", fs::perms::owner_all);
  EXPECT_EQ(find_suites({suite, folder_.path(), folder_.path() / "." / "suite"})->size(), 1U);
}

TEST_F(ListingTest, NoSuitesIsAnErrorThatSaysWhatToDo) {
  EXPECT_EQ(find_suites({}).error().message,
            "no suites: none were named; name suite executables or the folder that they were built into");
  EXPECT_EQ(find_suites({folder_.path()}).error().message,
            "no suites: no executable files in " + folder_.path().string() +
                "; name suite executables or the folder that they were built into");
}

}  // namespace
}  // namespace torchgate::launch
