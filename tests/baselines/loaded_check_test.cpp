// SPDX-License-Identifier: Apache-2.0
#include "baselines/loaded_check.hpp"

#include <gtest/gtest.h>

#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

using base::ErrorCode;
using record::LoadedObject;

LoadedObject executable(const std::string& path, const std::string& hash) {
  return {path, "", 1, 1, 1, hash, true, false};
}
LoadedObject library(const std::string& soname, const std::string& hash) {
  return {"/opt/lib/" + soname + ".real", soname, 1, 1, 1, hash, false, false};
}
LoadedObject system_library(const std::string& soname, const std::string& hash) {
  return {"/usr/lib/" + soname, soname, 1, 1, 1, hash, false, true};
}

/// Two processes of suite fusion; only the second opened the plugin. Another suite has another executable.
record::Run run_of_two_suites() {
  auto run = sample_run(1);
  run.objects = {library("libtorch.so", "t1"), executable("/build/fusion", "e1"), system_library("libc.so.6", "c1"),
                 library("libplugin.so", "p1"), executable("/build/loading", "e2")};
  auto first = run.processes[0];
  first.objects = {1, 0, 2};
  auto second = first;
  second.index = 1;
  second.objects = {1, 0, 2, 3};
  auto crashed = first;
  crashed.index = 2;
  crashed.objects.clear();
  auto elsewhere = first;
  elsewhere.index = 3;
  elsewhere.suite = "loading";
  elsewhere.objects = {4, 0};
  run.processes = {first, second, crashed, elsewhere};
  return run;
}

std::vector<ExpectedObject> expected() {
  return expected_objects(run_of_two_suites(), "fusion").value();
}

std::vector<LoadedObject> as_recorded() {
  return {executable("/tmp/x/bin/fusion", "e1"), library("libtorch.so", "t1"), system_library("libc.so.6", "c1")};
}

TEST(ExpectedObjects, AreThoseOfTheSuiteTheExecutableFirst) {
  const std::vector<ExpectedObject> fusion{
      {"", "e1", "/build/fusion", true, false, true},
      {"libtorch.so", "t1", "/opt/lib/libtorch.so.real", false, false, true},
      {"libc.so.6", "c1", "/usr/lib/libc.so.6", false, true, true},
      {"libplugin.so", "p1", "/opt/lib/libplugin.so.real", false, false, false},
  };
  EXPECT_EQ(expected(), fusion);
  EXPECT_EQ(expected_objects(run_of_two_suites(), "loading").value().size(), 2U);
  EXPECT_EQ(expected_objects(run_of_two_suites(), "batching").error().code, ErrorCode::not_found);
}

TEST(ExpectedObjects, ALibraryWithoutASonameIsCalledLikeItsFile) {
  auto run = run_of_two_suites();
  run.objects[3].soname.clear();
  EXPECT_EQ(expected_objects(run, "fusion").value().back().soname, "libplugin.so.real");
}

TEST(ExpectedObjects, TwoVersionsInOneSuiteAreAmbiguous) {
  auto rebuilt = run_of_two_suites();
  rebuilt.objects.push_back(executable("/build/fusion", "e1 rebuilt"));
  rebuilt.processes[1].objects[0] = 5;
  const auto two = expected_objects(rebuilt, "fusion");
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().code, ErrorCode::bad_input);
  EXPECT_NE(two.error().message.find("/build/fusion"), std::string::npos) << two.error().message;

  auto updated = run_of_two_suites();
  updated.objects.push_back(system_library("libc.so.6", "c2"));
  updated.processes[1].objects[2] = 5;
  EXPECT_TRUE(expected_objects(updated, "fusion")) << "the system's libraries are not the baseline's";
}

TEST(CheckLoaded, TheSameFromAnotherPlaceIsFine) {
  const auto checked = check_loaded(expected(), as_recorded());
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(checked->empty());
}

TEST(CheckLoaded, OtherSystemLibrariesAreNoted) {
  auto loaded = as_recorded();
  loaded[2].sha256 = "c2";
  loaded.push_back(system_library("libnss.so", "n1"));
  const auto checked = check_loaded(expected(), loaded);
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_EQ(checked->size(), 2U);
  EXPECT_NE(checked->at(0).find("libc.so.6"), std::string::npos);
  EXPECT_NE(checked->at(1).find("libnss.so"), std::string::npos);
}

TEST(CheckLoaded, AnythingElseIsNotTheBaseline) {
  const auto with = [](auto change) {
    auto loaded = as_recorded();
    change(loaded);
    return loaded;
  };
  const std::vector<std::pair<std::string, std::vector<LoadedObject>>> wrong{
      {"libtorch.so", with([](auto& loaded) { loaded[1].sha256 = "t2"; })},
      {"fusion", with([](auto& loaded) { loaded[0].sha256 = "e9"; })},
      {"libtorch.so", with([](auto& loaded) { loaded[1].sha256.clear(); })},
      {"libnew.so", with([](auto& loaded) { loaded.push_back(library("libnew.so", "n1")); })},
      {"libtorch.so", with([](auto& loaded) { loaded.erase(loaded.begin() + 1); })},
      {"fusion", with([](auto& loaded) { loaded.erase(loaded.begin()); })},
      {"libplugin.so", with([](auto& loaded) { loaded.push_back(library("libplugin.so", "p2")); })},
      {"libtorch.so", with([](auto& loaded) { loaded[1] = system_library("libtorch.so", "t2"); })},
      {"fusion", {}},
  };
  for (const auto& [name, loaded] : wrong) {
    const auto checked = check_loaded(expected(), loaded);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_input);
    EXPECT_NE(checked.error().message.find(name), std::string::npos) << checked.error().message;
  }
}

}  // namespace
}  // namespace torchgate::baselines::testing
