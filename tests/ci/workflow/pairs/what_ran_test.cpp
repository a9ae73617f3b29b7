// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/what_ran.hpp"

#include <gtest/gtest.h>

#include "tests/ci/gate/made_run.hpp"

namespace torchgate {
namespace {

record::LoadedObject object(const std::string& path, const std::string& soname, char content) {
  record::LoadedObject made;
  made.path = path;
  made.soname = soname;
  made.sha256 = std::string(64, content);
  made.executable = soname.empty();
  return made;
}

// A baseline that ran three files, and pairs whose before side is a rebuild of its commit.
struct Rebuilt {
  Rebuilt() {
    gate::testing::add_case(baseline, "g/one/v", {1e5, 1e5});
    gate::testing::add_paired_case(pairs, "g/one/v", {1e5, 1e5}, {1e5, 1e5});
    load(baseline, -1,
         {object("/ci/build/net", "", 'a'), object("/ci/build/libnet.so", "libnet.so", 'b'),
          object("/opt/libtorch/lib/libtorch_cpu.so", "libtorch_cpu.so", 'c')});
  }
  static void load(record::Run& run, std::int64_t side, const std::vector<record::LoadedObject>& objects) {
    for (const record::LoadedObject& each : objects) {
      const auto index = static_cast<std::int64_t>(run.objects.size());
      run.objects.push_back(each);
      for (record::Process& process : run.processes)
        if (side < 0 || process.side == side) process.objects.push_back(index);
    }
  }
  [[nodiscard]] base::Result<void> check(const std::vector<record::LoadedObject>& before) {
    load(pairs, 0, before);
    return workflow::check_machine_libraries(pairs, baseline);
  }
  record::Run baseline = gate::testing::empty_run("aaaaaaaaaaaaaaaa");
  record::Run pairs = gate::testing::paired_run("bbbbbbbbbbbbbbbb");
};

const std::string tree = "/ci/.torchgate/work_trees/0/old/build/";

TEST(MachineLibraries, WhatTheCommitBuildsMayHaveOtherBytes) {
  Rebuilt rebuilt;
  EXPECT_TRUE(rebuilt.check({object(tree + "net", "", 'x'), object(tree + "libnet.so", "libnet.so", 'y'),
                             object("/opt/libtorch/lib/libtorch_cpu.so", "libtorch_cpu.so", 'c')}));
}

TEST(MachineLibraries, AnotherLibTorchHidesWhatItChanged) {
  for (const bool system : {false, true}) {
    Rebuilt rebuilt;
    auto newer = object("/opt/libtorch/lib/libtorch_cpu.so", "libtorch_cpu.so", 'd');
    newer.system = system;
    const auto checked = rebuilt.check({object(tree + "net", "", 'x'), newer});
    ASSERT_FALSE(checked) << system;
    EXPECT_EQ(checked.error().code, base::ErrorCode::no_verdict);
    EXPECT_NE(checked.error().message.find("LibTorch"), std::string::npos) << checked.error().message;
  }
}

// LD_LIBRARY_PATH of the change's build reaches the rebuilt side, too.
TEST(MachineLibraries, ALibraryOfTheChangeOnTheBeforeSideIsNamed) {
  Rebuilt rebuilt;
  const auto checked = rebuilt.check({object(tree + "net", "", 'x'), object("/ci/build/libnet.so", "libnet.so", 'z')});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, base::ErrorCode::no_verdict);
  EXPECT_NE(checked.error().message.find("libnet.so"), std::string::npos) << checked.error().message;
}

TEST(MachineLibraries, TheSameLibraryAndNewOnesAreFine) {
  Rebuilt rebuilt;
  EXPECT_TRUE(rebuilt.check({object(tree + "net", "", 'x'), object("/ci/build/libnet.so", "libnet.so", 'b'),
                             object("/opt/new/libnew.so", "libnew.so", 'n')}));
}

}  // namespace
}  // namespace torchgate
