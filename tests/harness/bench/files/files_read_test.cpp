// SPDX-License-Identifier: Apache-2.0
// The files that a suite process reports, by what its group does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "harness/base/atomic_file.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace {

namespace base = torchgate::base;
namespace record = torchgate::record;
using Paths = std::optional<std::vector<std::string>>;

class FilesReadTest : public ::testing::Test {
 protected:
  FilesReadTest() { std::ofstream(file) << "content\n"; }

  record::ProcessReport report_of(const std::string& group) {
    const auto out = folder / "report.json";
    const std::string command = "cd " + folder.path().string() + " && READING_FILE=" + file.string() + " " +
                                TORCHGATE_READING_SUITE + " --torchgate_group=reading/" + group +
                                " --torchgate_out=" + out.string() +
                                " --torchgate_profile=quick --torchgate_filter=. --torchgate_seed=1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    const auto text = base::read_file(out, 1 << 20);
    auto report = record::process_report_from_json(text ? *text : "", "report");
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : record::ProcessReport{};
  }

  void expect_read(const std::string& group, const Paths& paths) {
    auto report = report_of(group);
    if (report.files_read) std::erase_if(*report.files_read, [](const auto& path) { return path.starts_with('$'); });
    EXPECT_EQ(report.files_read, paths) << group;
    EXPECT_EQ(report.files_unknown, "") << group;
  }
  void expect_unknown(const std::string& group, const std::string& why) {
    const auto report = report_of(group);
    EXPECT_FALSE(report.files_read) << group;
    EXPECT_EQ(report.files_unknown, why) << group;
  }

  const base::testing::TemporaryFolder folder;
  const std::filesystem::path file = folder / "input.txt";
};

TEST_F(FilesReadTest, AProcessThatReadsNothingSaysSo) {
  expect_read("nothing", std::vector<std::string>{});
}

TEST_F(FilesReadTest, FilesAreSeenHoweverTheyAreOpened) {
  for (const char* const group : {"stream", "stdio", "descriptor"}) expect_read(group, std::vector{file.string()});
}

TEST_F(FilesReadTest, ARelativeNameIsThatOfTheFolderTheProcessWasStartedIn) {
  const auto here = std::filesystem::canonical(folder.path()) / "relative.txt";
  expect_read("relative", std::vector{here.string()});  // missing, but looked for
  std::ofstream(folder / "relative.txt") << "here";
  expect_read("relative", std::vector{here.string()});
}

// A file that switches something on need not be opened.
TEST_F(FilesReadTest, FilesThatAreAskedAboutAreSeenThereOrNot) {
  std::vector<std::string> paths{file.string()};
  for (const char* const end : {"access", "faccessat", "stat", "lstat", "fstatat", "statx"})
    paths.push_back(file.string() + '.' + end);
  expect_read("asked", paths);
  for (const std::string& path : paths) std::ofstream(path) << "here";
  expect_read("asked", paths);
}

TEST_F(FilesReadTest, WhatTheProcessMakesAfterAskingIsLeftOut) {
  expect_read("made_after_asking", std::vector<std::string>{});
  EXPECT_TRUE(std::filesystem::exists(file.string() + ".folder/inner"));
}

TEST_F(FilesReadTest, AFileMapGivesAnotherContentUnderTheSamePath) {
  std::filesystem::remove(file);  // the baseline had it
  EXPECT_FALSE(report_of("nothing").files_restored);
  std::ofstream(folder / "placed") << "what the baseline read\n";
  std::ofstream(folder / "map") << (folder / "placed").string() << '\t' << file.string() << '\n';
  const std::string map = (folder / "map").string();
  ASSERT_EQ(setenv(record::file_map_variable, map.c_str(), 1), 0);
  for (const char* const group : {"stream", "stdio", "descriptor"}) {
    expect_read(group, std::vector{file.string()});
    EXPECT_TRUE(report_of(group).files_restored);
  }
  expect_read("sized", std::vector{file.string()});
  const auto sized = report_of("sized");
  ASSERT_EQ(sized.results.size(), 1U);
  EXPECT_EQ(sized.results.front().status, record::CaseStatus::ok) << sized.results.front().message;
  std::ofstream(folder / "map") << "no tab\n";
  EXPECT_FALSE(report_of("nothing").files_restored);
  unsetenv(record::file_map_variable);
}

TEST_F(FilesReadTest, WhatTheProcessMadeItselfIsLeftOut) {
  expect_read("own", std::vector<std::string>{});
}

TEST_F(FilesReadTest, WhatCannotBeKnownIsSaid) {
  expect_unknown("changed", "it changes a file that it reads: " + file.string());
  expect_unknown("folder", "it lists a folder");
  expect_unknown("moved", "it opens a relative path after chdir()");
  expect_unknown("library", "it unloads a library");
}

TEST_F(FilesReadTest, FilesOfOtherProgramsAreUnknown) {
  for (const char* const group : {"program", "spawned", "forked", "vforked"})
    expect_unknown(group, "it starts another program");
}

TEST_F(FilesReadTest, VariablesThatWereLookedUpAreListed) {
  const auto files = report_of("stream").files_read.value_or(std::vector<std::string>{});
  EXPECT_EQ(std::count(files.begin(), files.end(), "$READING_FILE"), 1);
  EXPECT_EQ(std::count(files.begin(), files.end(), "$HOSTNAME"), 0);
}

// A library that the process unpacked has another name in each process: two equal sides would differ by it. What it was unpacked from is
// a file that was read.
TEST_F(FilesReadTest, ALibraryThatTheProcessUnpackedIsNotAnObjectOfIts) {
  std::filesystem::copy_file(TORCHGATE_SMALL_LIBRARY, file, std::filesystem::copy_options::overwrite_existing);
  std::vector<std::vector<record::LoadedObject>> objects;
  std::vector<std::string> names;
  for (int process = 0; process < 2; ++process) {
    const auto report = report_of("unpacked");
    ASSERT_EQ(report.results.size(), 1U);
    EXPECT_EQ(report.results.front().status, record::CaseStatus::ok) << report.results.front().message;
    EXPECT_EQ(report.files_unknown, "");
    ASSERT_TRUE(report.files_read);
    EXPECT_NE(std::find(report.files_read->begin(), report.files_read->end(), file.string()), report.files_read->end());
    const auto name = base::read_file(folder / "input.txt.name", 4096);
    ASSERT_TRUE(name);
    names.push_back(*name);
    for (const record::LoadedObject& object : report.objects) EXPECT_NE(object.path, *name);
    objects.push_back(report.objects);
  }
  EXPECT_NE(names[0], names[1]);
  EXPECT_EQ(objects[0], objects[1]);
}

TEST_F(FilesReadTest, AListingNamesTheLoadedObjects) {
  const auto out = folder / "listing.json";
  ASSERT_EQ(std::system((std::string(TORCHGATE_READING_SUITE) + " --torchgate_list=" + out.string()).c_str()), 0);
  const auto text = base::read_file(out, 1 << 20);
  const auto listing = record::process_report_from_json(text ? *text : "", "listing");
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_FALSE(listing->objects.empty());
  EXPECT_TRUE(listing->objects.front().executable);
  EXPECT_GT(listing->objects.size(), 2U);
}

}  // namespace
