// SPDX-License-Identifier: Apache-2.0
// Which LibTorch a version or a folder names, on folders that only look like one.
#include "ci/workflow/build/libtorch_root.hpp"

#include <gtest/gtest.h>

#include "ci/workflow/build/libtorch_builds.hpp"
#include "tests/ci/workflow/told.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

using testing::write_text;

class LibtorchRoots : public ::testing::Test {
 protected:
  static void make(const fs::path& folder, const std::string& version) {
    fs::create_directories(folder / "lib");
    fs::create_directories(folder / "include/torch/headeronly");
    write_text(folder / "lib/libtorch_cpu.so", "not one");
    if (!version.empty()) write_text(folder / "build-version", version + "+cpu\n");
  }
  static void make_installed(const std::string& version, const std::string& set = "cpu") {
    make(fs::path("deps") / ("libtorch-" + version + "-" + set) / "torch", version);
  }
  static std::string error_of(const std::vector<std::string>& named, const LibtorchPlaces& places) {
    const auto sides = libtorch_sides(named, places);
    return sides ? "" : sides.error().message;
  }
  // "2.11.0 2.15.0"
  static std::string versions(const std::vector<std::string>& named, const LibtorchPlaces& places) {
    const auto sides = libtorch_sides(named, places);
    if (!sides) return sides.error().message;
    return (*sides)[0].version.value_or("?") + " " + (*sides)[1].version.value_or("?");
  }

  testing::WorkingFolder folder_;
  LibtorchPlaces places_{"deps", std::nullopt};
};

TEST_F(LibtorchRoots, FindsAVersionThatIsInstalled) {
  make_installed("2.15.0");
  make_installed("2.11.0");
  fs::create_directories("deps/libtorch-2.12.0-cpu.part/torch/lib");
  const auto root = find_libtorch("2.11.0", places_);
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->version, "2.11.0");
  EXPECT_EQ(root->folder, fs::canonical("deps/libtorch-2.11.0-cpu/torch"));
  EXPECT_EQ(libtorch_words(*root), "LibTorch 2.11.0");
}

TEST_F(LibtorchRoots, NamesTheCommandThatInstallsAMissingOne) {
  make_installed("2.15.0");
  const auto missing = find_libtorch("2.12.0", places_);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("ci/scripts/setup.sh --libtorch 2.12.0"), std::string::npos)
      << missing.error().message;
  EXPECT_NE(find_libtorch("nightly", places_).error().message.find("neither an existing folder nor a version"),
            std::string::npos);
  fs::create_directories("empty");
  EXPECT_NE(find_libtorch("empty", places_).error().message.find("not a LibTorch"), std::string::npos);
  EXPECT_NE(find_libtorch("", places_).error().message.find("no value"), std::string::npos);
}

TEST_F(LibtorchRoots, TakesAFolderOrItsParent) {
  make("zip/libtorch", "2.10.1");
  make("own", "");
  write_text("own/include/torch/headeronly/version.h",
             "#pragma once\n#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 16\n"
             "#define TORCH_VERSION_PATCH 3\n#define TORCH_VERSION \"2.16.3\"\n");
  EXPECT_EQ(find_libtorch("zip", places_)->version, "2.10.1");
  EXPECT_EQ(find_libtorch("own", places_)->version, "2.16.3");
}

TEST_F(LibtorchRoots, ComparesOneWithTheCurrentOneOlderFirst) {
  make_installed("2.15.0");
  make_installed("2.9.1");
  EXPECT_EQ(versions({"2.9.1"}, places_), "2.9.1 2.15.0") << "2.9 is older than 2.15";
  EXPECT_EQ(versions({"2.15.0"}, places_), "2.9.1 2.15.0");
  make("mine", "2.12.0");
  places_.current = "mine";
  EXPECT_EQ(versions({"2.15.0"}, places_), "2.12.0 2.15.0");
  EXPECT_EQ(versions({"2.9.1"}, places_), "2.9.1 2.12.0");
}

TEST_F(LibtorchRoots, KeepsTheOrderOfTwo) {
  make_installed("2.15.0");
  make_installed("2.11.0");
  EXPECT_EQ(versions({"2.15.0", "2.11.0"}, places_), "2.15.0 2.11.0");
}

TEST_F(LibtorchRoots, RefusesWhatCannotBeCompared) {
  make_installed("2.15.0");
  EXPECT_NE(error_of({"2.15.0"}, places_).find("to compare it with is unknown"), std::string::npos);
  EXPECT_NE(error_of({"2.15.0", "2.15.0"}, places_).find("both sides are"), std::string::npos);
  EXPECT_NE(error_of({"1", "2", "3"}, places_).find("torchgate compare"), std::string::npos);
  places_.current = "nowhere";
  EXPECT_NE(error_of({"2.15.0"}, places_).find("TORCHGATE_TORCH_ROOT: no LibTorch in nowhere"), std::string::npos);
}

class LibtorchBuilds : public LibtorchRoots {
 protected:
  void SetUp() override {
    make("a", "2.11.0");
    make("b", "2.15.0");
  }
  [[nodiscard]] base::Result<std::vector<launch::SideRequest>> build(const LibtorchBuild& how) {
    return build_against(*libtorch_sides({"a", "b"}, places_), how, told_);
  }
  testing::Told told_;
};

// The command sees LibTorch in its environment, and its own folder as {dir}.
TEST_F(LibtorchBuilds, BuildEachSideInAFolderThatIsKept) {
  const std::string command =
      "mkdir -p {dir}/bench && cp \"$TORCHGATE_TORCH_ROOT/build-version\" {dir}/bench/v && "
      "echo \"$CMAKE_PREFIX_PATH $Torch_ROOT\" >{dir}/bench/p && echo x >>{dir}/builds && "
      "printf '#!/bin/sh\\n' >{dir}/bench/run && chmod +x {dir}/bench/run";
  for (int call = 1; call <= 2; ++call) {
    const auto sides = build({command, {"bench"}});
    ASSERT_TRUE(sides) << sides.error().message;
    ASSERT_EQ(sides->size(), 2U);
    const fs::path before = (*sides)[0].suites.front();
    const fs::path after = (*sides)[1].suites.front();
    EXPECT_EQ((*sides)[0].label, "before");
    EXPECT_EQ(testing::read_text(before / "v"), "2.11.0+cpu\n");
    EXPECT_EQ(testing::read_text(after / "v"), "2.15.0+cpu\n");
    EXPECT_EQ(testing::read_text(after / "p").find(fs::canonical("b").string()), 0U);
    EXPECT_EQ(before.string().size(), after.string().size()) << "a longer path can change times";
    EXPECT_EQ(testing::read_text(before.parent_path() / "builds").size(), 2U * static_cast<std::size_t>(call));
  }
}

TEST_F(LibtorchBuilds, ShowTheLastLinesOfABuildThatFails) {
  const auto failed = build({"echo no such operator >&2; exit 3", {"bench"}});
  ASSERT_FALSE(failed);
  EXPECT_EQ(told_.notes.back(), "  | no such operator");
  EXPECT_NE(failed.error().message.find("the build of before (LibTorch 2.11.0: "), std::string::npos)
      << failed.error().message;
  EXPECT_NE(failed.error().message.find("exit code 3"), std::string::npos);
}

TEST_F(LibtorchBuilds, AskForWhatTheyDoNotKnow) {
  EXPECT_NE(build({std::nullopt, {}}).error().message.find("give the command"), std::string::npos);
  EXPECT_NE(build({"true", {}}).error().message.find("name them with --suites"), std::string::npos);
  EXPECT_NE(build({"true", {"../bench"}}).error().message.find("not inside the build folder"), std::string::npos);
  EXPECT_NE(build({"true", {"bench"}}).error().message.find("no suites after the build"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::workflow
