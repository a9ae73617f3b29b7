// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/libtorch.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

void add(record::Run& run, const std::string& path, char content) {
  record::LoadedObject object;
  object.path = path;
  object.soname = path.substr(path.rfind('/') + 1);
  object.sha256 = content == ' ' ? "" : std::string(64, content);
  run.objects.push_back(object);
}

record::Run with_libtorch(const std::string& id, char content = 'a') {
  record::Run run = testing::empty_run(id);
  add(run, "/torch/lib/libtorch_cpu.so", content);
  add(run, "/torch/lib/libc10.so", 'b');
  return run;
}

class LibTorch : public ::testing::Test {
 protected:
  record::Run before = with_libtorch("1");
  record::Run after = with_libtorch("2");
};

TEST_F(LibTorch, DiffersWhereALibraryOfBothDiffers) {
  EXPECT_FALSE(libtorch_differs(before, after));
  EXPECT_TRUE(libtorch_differs(before, with_libtorch("3", 'c')));
  add(before, "/torch/lib/libtorch_cuda_linalg.so", '1');
  add(after, "/torch/lib/libtorch_cuda_linalg.so", '2');
  EXPECT_TRUE(libtorch_differs(before, after));
}

TEST_F(LibTorch, IsNotWhatOnlyHasSuchAName) {
  for (const char* path : {"/torch/lib/libtorchvision.so", "/torch/lib/libtorch_myops.so",
                           "/torch/lib/libtorchaudio.so", "/torch/lib/libc10_myops.so", "/torch/lib/libtorch.mine.so",
                           "/build/libtorch_python.so", "/build/libtorch_cuda.so"}) {
    record::Run was = before;
    record::Run is = after;
    add(was, path, '1');
    add(is, path, '2');
    EXPECT_FALSE(libtorch_differs(was, is)) << path;
    EXPECT_FALSE(libtorch_differs(before, is)) << path << " is new";
    EXPECT_FALSE(libtorch_differs(was, after)) << path << " was removed";
  }
}

TEST_F(LibTorch, ARunOfSomeGroupsLoadsFewerLibraries) {
  add(before, "/torch/lib/libtorch_cuda.so", '1');
  EXPECT_FALSE(libtorch_differs(before, after));
  EXPECT_FALSE(libtorch_differs(after, before));
  add(before, "/other/lib/libtorch_cpu.so", '3');  // of another suite
  EXPECT_FALSE(libtorch_differs(before, after)) << "one of the two";
  EXPECT_TRUE(libtorch_differs(before, with_libtorch("3", 'c')));
}

TEST_F(LibTorch, IsTheSameInAnotherFolder) {
  record::Run moved = testing::empty_run("3");
  add(moved, "/store/lib/all/libtorch_cpu.so", 'a');
  add(moved, "/store/lib/all/libc10.so", 'b');
  add(moved, "/store/lib/all/libtorch_myops.so", '1');
  EXPECT_FALSE(libtorch_differs(before, moved));
  moved.objects.front().sha256 = std::string(64, 'e');
  EXPECT_TRUE(libtorch_differs(before, moved));
}

TEST_F(LibTorch, HasVersionsInItsNamesWhereADistributionPackagesIt) {
  record::Run old = testing::empty_run("3");
  record::Run updated = testing::empty_run("4");
  add(old, "/usr/lib/libtorch_cpu.so.1.13", '1');
  add(updated, "/usr/lib/libtorch_cpu.so.2.1", '2');
  old.objects.front().system = updated.objects.front().system = true;
  EXPECT_TRUE(libtorch_differs(old, updated));
}

TEST_F(LibTorch, WithoutAHashIsNotCalledAnotherOne) {
  EXPECT_FALSE(libtorch_differs(before, with_libtorch("3", ' ')));
}

TEST_F(LibTorch, OfASideIsWhatItsProcessesLoaded) {
  record::Run run = testing::paired_run("3");
  testing::add_paired_case(run, "s/g/a", {1, 1}, {1, 1});
  add(run, "/old/libtorch_cpu.so", '1');
  add(run, "/new/libtorch_cpu.so", '2');
  add(run, "/old/libtorch_myops.so", '3');
  add(run, "/new/libtorch_myops.so", '4');
  for (record::Process& process : run.processes) process.objects = {process.side, process.side + 2};
  EXPECT_TRUE(libtorch_differs(run, 0, run, 1));
  for (record::Process& process : run.processes) process.objects = {0, process.side + 2};
  EXPECT_FALSE(libtorch_differs(run, 0, run, 1));
}

}  // namespace
}  // namespace torchgate::gate
