// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/code/case_inputs.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace torchgate::workflow {
namespace {

/// A case in a process of each side. What a side reads is named by its path; nothing: it does not tell.
struct Reads {
  std::optional<std::vector<record::ReadFile>> files;
  std::vector<record::LoadedObject> libraries = {};
  std::string unknown = {};
};

record::LoadedObject library(const std::string& path, const std::string& sha256) {
  record::LoadedObject object;
  object.path = path;
  object.sha256 = sha256;
  return object;
}

std::string why(const Reads& before, const Reads& after) {
  record::Run run;
  record::Case definition;
  definition.name = "s/g/a";
  definition.group = "s/g";
  run.cases = {definition};
  std::int64_t side = 0;
  for (const Reads* each : {&before, &after}) {
    record::Process process;
    process.group = "s/g";
    process.side = side++;
    process.files_unknown = each->unknown;
    for (const record::LoadedObject& object : each->libraries) {
      process.objects.push_back(static_cast<std::int64_t>(run.objects.size()));
      run.objects.push_back(object);
    }
    if (each->files) process.files.emplace();
    for (const record::ReadFile& file : each->files.value_or(std::vector<record::ReadFile>{})) {
      process.files->push_back(static_cast<std::int64_t>(run.files.size()));
      run.files.push_back(file);
    }
    run.processes.push_back(process);
  }
  const auto files = CodeFiles::open({});
  EXPECT_TRUE(files) << files.error().message;
  return why_inputs_differ(run, "s/g/a", *files);
}

using Files = std::vector<record::ReadFile>;

TEST(CaseInputs, TheSameContentBelowOtherFoldersIsNotADifference) {
  EXPECT_EQ(why({Files{{"/a/model.pt", "11"}, {"$HOME", "22"}}}, {Files{{"/b/model.pt", "11"}, {"$HOME", "22"}}}), "");
}

TEST(CaseInputs, AnotherContentIs) {
  EXPECT_EQ(why({Files{{"/a/model.pt", "11"}}}, {Files{{"/b/model.pt", "12"}}}),
            "model.pt, which it reads, differs; compare with the same on both sides");
}

TEST(CaseInputs, AFileOfOneSideOnlyIs) {
  EXPECT_EQ(why({Files{}}, {Files{{"/b/fast_path", "11"}}}),
            "fast_path, which it reads, differs; compare with the same on both sides");
  EXPECT_EQ(why({Files{{"$FAST", "11"}}}, {Files{}}),
            "$FAST, which it reads, differs; compare with the same on both sides");
  EXPECT_EQ(why({Files{{"/a/fast_path", ""}}}, {Files{{"/b/fast_path", "11"}}}),
            "fast_path, which it reads, differs; compare with the same on both sides");
  EXPECT_EQ(why({Files{{"/a/fast_path", ""}}}, {Files{}}), "") << "it was looked for and is not there";
}

TEST(CaseInputs, WhatIsReadIsUnknownWhereTheSuiteSaysSo) {
  EXPECT_EQ(why({std::nullopt, {}, "it starts another program"}, {std::nullopt, {}, "it starts another program"}),
            "which files it reads is not known: it starts another program");
  EXPECT_EQ(why({std::nullopt}, {std::nullopt}), "") << "a Google Benchmark program tells nothing";
}

TEST(CaseInputs, ALibraryThatWasNotComparedIs) {
  EXPECT_EQ(why({Files{}, {library("/a/libk.so", "11")}}, {Files{}, {library("/b/libk.so", "12")}}),
            "libk.so, which it reads, differs; compare with the same on both sides");
  EXPECT_EQ(why({Files{}, {library("/a/libk.so", "11")}}, {Files{}, {library("/b/libk.so", "11")}}), "");
}

}  // namespace
}  // namespace torchgate::workflow
