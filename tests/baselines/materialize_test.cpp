// SPDX-License-Identifier: Apache-2.0
// Real executables with real libraries: what matters is what the dynamic loader loads.
#include "baselines/materialize.hpp"

#include <gtest/gtest.h>

#include "baselines/add.hpp"
#include "baselines/folder_store.hpp"
#include "harness/base/content_hash.hpp"
#include "tests/baselines/fixture_suite.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

bool anything(const ExpectedObject&) {
  return true;
}

class Materialize : public ::testing::Test {
 protected:
  /// Installs version 1, runs it, and stores the run with its objects when `keep`.
  record::Run baseline(const fs::path& speaker = SPEAKER_RUNPATH, bool keep = true) {
    install_libraries(1, installed_);
    const auto spoken = speak(install_speaker(speaker, installed_));
    EXPECT_EQ(spoken.versions, "11") << spoken.output;
    auto run = run_that_loaded(spoken.objects);
    const auto added = add_run(*store_, run, {true, keep});
    EXPECT_TRUE(added) << added.error().message;
    return run;
  }

  [[nodiscard]] static std::vector<std::string> files_under(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      EXPECT_FALSE(entry.is_symlink()) << entry.path();
      if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  base::testing::TemporaryFolder scratch_;
  fs::path installed_ = scratch_.path() / "installed";
  fs::path folder_ = scratch_.path() / "baseline";
  std::unique_ptr<Store> store_ = open_folder_store(scratch_.path() / "store", OpenMode::create).value();
};

TEST_F(Materialize, AnUnchangedSuiteRunsWhereItIs) {
  const auto run = baseline();
  for (const Store* store : {static_cast<const Store*>(store_.get()), static_cast<const Store*>(nullptr)}) {
    const auto side = materialize(store, run, "speaker", folder_, anything);
    ASSERT_TRUE(side) << side.error().message;
    EXPECT_EQ(side->executable, installed_ / "speaker");
    EXPECT_TRUE(side->environment.empty());
    EXPECT_EQ(side->files.size(), 3U);  // the executable, and two libraries that are not the system's
    EXPECT_FALSE(fs::exists(folder_));
    const auto spoken = speak(side->executable, side->environment);
    EXPECT_EQ(spoken.versions, "11");
    EXPECT_TRUE(check_loaded(side->expected, spoken.objects));
  }
}

TEST_F(Materialize, WithItsLibrariesReplacedItStillLoadsTheOldOnes) {
  const auto run = baseline();
  install_libraries(2, installed_);
  // The trap: the executable itself is unchanged where it was, and its run path leads to the new libraries.
  const auto trapped = speak(installed_ / "speaker");
  ASSERT_EQ(trapped.versions, "22");
  EXPECT_EQ(check_loaded(expected_objects(run, "speaker").value(), trapped.objects).error().code, ErrorCode::bad_input);

  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_TRUE(side) << side.error().message;
  const auto spoken = speak(side->executable, side->environment);
  EXPECT_EQ(spoken.versions, "11") << spoken.output;
  const auto checked = check_loaded(side->expected, spoken.objects);
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(files_under(folder_),
            (std::vector<std::string>{"bin/speaker", "lib/all/libvoice.so.1", "lib/all/libword.so.1"}));
  ASSERT_EQ(side->files.size(), 3U);
  for (const PlacedFile& file : side->files) {
    EXPECT_EQ(*base::sha256_of_file(file.path), file.sha256);
    EXPECT_TRUE(file.path.string().starts_with(folder_.string())) << file.path;
  }
}

TEST_F(Materialize, WithOneLibraryReplacedItsSiblingComesFromTheSamePlace) {
  const auto run = baseline();
  // Only libword is new. libvoice, unchanged, would find it through its own DT_RPATH=$ORIGIN if it were loaded from, or
  // linked symbolically to, where it was.
  fs::remove(installed_ / "libword.so.1");
  fs::copy_file(fs::path(FIXTURE_FOLDER) / "version_2" / "libword.so.1", installed_ / "libword.so.1");
  ASSERT_EQ(speak(installed_ / "speaker").versions, "12");
  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_TRUE(side) << side.error().message;
  const auto spoken = speak(side->executable, side->environment);
  EXPECT_EQ(spoken.versions, "11") << spoken.output;
  EXPECT_TRUE(check_loaded(side->expected, spoken.objects));
}

TEST_F(Materialize, WorksWhenEverythingIsGone) {
  const auto run = store_->load(baseline().id).value();
  fs::remove_all(installed_);
  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_TRUE(side) << side.error().message;
  EXPECT_EQ(speak(side->executable, side->environment).versions, "11");
}

TEST_F(Materialize, TakesAnObjectFromItsPlaceWhenOnlyThatOneIsUnchanged) {
  const auto run = baseline(SPEAKER_RUNPATH, false);
  // Not kept: the libraries (LibTorch, still installed). Kept: the executable, which was rebuilt since.
  const auto executable = expected_objects(run, "speaker").value().front();
  ASSERT_TRUE(store_->put_object(executable.path, executable.sha256));
  write(installed_ / "speaker", "rebuilt");
  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_TRUE(side) << side.error().message;
  const auto spoken = speak(side->executable, side->environment);
  EXPECT_EQ(spoken.versions, "11") << spoken.output;
  EXPECT_TRUE(check_loaded(side->expected, spoken.objects));
}

TEST_F(Materialize, SaysWhatIsMissingAndLeavesNothing) {
  const auto run = baseline(SPEAKER_RUNPATH, false);
  install_libraries(2, installed_);
  for (const Store* store : {static_cast<const Store*>(store_.get()), static_cast<const Store*>(nullptr)}) {
    const auto side = materialize(store, run, "speaker", folder_, anything);
    ASSERT_FALSE(side);
    EXPECT_EQ(side.error().code, ErrorCode::not_found);
    for (const std::string part : {"libvoice.so.1", "libword.so.1", "confirmed", "torchgate ab"})
      EXPECT_NE(side.error().message.find(part), std::string::npos) << side.error().message;
    EXPECT_EQ(side.error().message.find("/speaker"), std::string::npos) << "it is unchanged: " << side.error().message;
    EXPECT_TRUE(files_under(folder_).empty());
  }
}

TEST_F(Materialize, AnAbsoluteRpathIsNoticed) {
  // DT_RPATH is searched before LD_LIBRARY_PATH: nothing but rewriting the executable, which would be another one, helps.
  const auto run = baseline(SPEAKER_RPATH);
  install_libraries(2, installed_);
  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_TRUE(side) << side.error().message;
  const auto spoken = speak(side->executable, side->environment);
  ASSERT_EQ(spoken.versions, "22") << spoken.output;
  EXPECT_EQ(check_loaded(side->expected, spoken.objects).error().code, ErrorCode::bad_input);
}

TEST_F(Materialize, NeedsAFolderOfItsOwn) {
  const auto run = baseline();
  install_libraries(2, installed_);
  write(folder_ / "something", "");
  EXPECT_EQ(materialize(store_.get(), run, "speaker", folder_, anything).error().code, ErrorCode::bad_input);
  EXPECT_EQ(materialize(store_.get(), run, "speaker", scratch_.path() / "a:b", anything).error().code,
            ErrorCode::bad_input);
  fs::create_directory(scratch_.path() / "empty");
  EXPECT_TRUE(materialize(store_.get(), run, "speaker", scratch_.path() / "empty", anything));
}

TEST_F(Materialize, ARelativeFolderBecomesAnAbsoluteOne) {
  const auto run = baseline();
  install_libraries(2, installed_);
  const auto relative = fs::relative(folder_);
  const auto side = materialize(store_.get(), run, "speaker", relative, anything);
  ASSERT_TRUE(side) << side.error().message;
  EXPECT_TRUE(side->executable.is_absolute());
  EXPECT_EQ(speak(side->executable, side->environment).versions, "11");
}

TEST_F(Materialize, ANameInARecordIsNotAPath) {
  auto run = baseline();
  install_libraries(2, installed_);
  for (auto& object : run.objects) {
    if (object.soname == "libvoice.so.1") object.soname = "../../../../evil.so";
  }
  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_FALSE(side);
  EXPECT_EQ(side.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(scratch_.path() / "evil.so"));
}

TEST_F(Materialize, UnknownSuitesAndHashesAreErrors) {
  auto run = baseline();
  EXPECT_EQ(materialize(store_.get(), run, "fusion", folder_, anything).error().code, ErrorCode::not_found);
  for (auto& object : run.objects) object.sha256.clear();
  const auto side = materialize(store_.get(), run, "speaker", folder_, anything);
  ASSERT_FALSE(side);
  EXPECT_EQ(side.error().code, ErrorCode::not_found);
  EXPECT_NE(side.error().message.find("no recorded hash"), std::string::npos) << side.error().message;
}

TEST_F(Materialize, AnUnknownFileRunsOnlyFromTheStore) {
  const auto nothing = [](const ExpectedObject&) { return false; };
  auto run = baseline();
  // The file is unchanged at its old path, but the callback does not confirm it: the store's copy runs.
  const auto side = materialize(store_.get(), run, "speaker", folder_, nothing);
  ASSERT_TRUE(side) << side.error().message;
  EXPECT_EQ(side->executable, folder_ / "bin" / "speaker");
  EXPECT_EQ(speak(side->executable, side->environment).versions, "11");
  // Without a store, nothing does, and nothing is copied.
  for (const MayRunInPlace& unknown : {MayRunInPlace(nothing), MayRunInPlace()}) {
    const auto refused = materialize(nullptr, run, "speaker", scratch_.path() / "refused", unknown);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::not_found);
    EXPECT_NE(refused.error().message.find("--run-recorded-files"), std::string::npos) << refused.error().message;
    EXPECT_FALSE(fs::exists(scratch_.path() / "refused" / "bin"));
  }
}

TEST_F(Materialize, ARelativePathNeverRuns) {
  auto run = baseline(SPEAKER_RUNPATH, false);
  for (auto& object : run.objects) object.path = fs::relative(object.path).string();
  const auto side = materialize(nullptr, run, "speaker", folder_, anything);
  ASSERT_FALSE(side);
  EXPECT_EQ(side.error().code, ErrorCode::not_found);
}

TEST_F(Materialize, AnExecutableThatCallsItselfTheSystemsIsCheckedLikeAnyOther) {
  auto run = baseline(SPEAKER_RUNPATH, false);
  for (auto& object : run.objects) object.system = true;
  const auto side = materialize(nullptr, run, "speaker", folder_, [](const ExpectedObject&) { return false; });
  ASSERT_FALSE(side);
  EXPECT_EQ(side.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace torchgate::baselines::testing
