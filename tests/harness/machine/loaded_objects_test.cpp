// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/loaded_objects.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

namespace torchgate::machine {
namespace {

const record::LoadedObject* find(const std::vector<record::LoadedObject>& objects, const std::string& soname) {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [&](const auto& each) { return each.soname == soname; });
  return found == objects.end() ? nullptr : &*found;
}

TEST(LoadedObjects, StartWithTheExecutable) {
  const auto objects = loaded_objects();
  ASSERT_FALSE(objects.empty());
  EXPECT_TRUE(objects[0].executable);
  EXPECT_EQ(objects[0].path, std::filesystem::canonical("/proc/self/exe"));
  EXPECT_EQ(objects[0].soname, "");
  EXPECT_EQ(std::count_if(objects.begin(), objects.end(), [](const auto& each) { return each.executable; }), 1);
}

TEST(LoadedObjects, SayWhichFileTheyAre) {
  const auto objects = loaded_objects();
  const record::LoadedObject* libc = find(objects, "libc.so.6");
  ASSERT_NE(libc, nullptr);
  EXPECT_TRUE(libc->system);
  EXPECT_EQ(libc->sha256, "");
  struct stat status {};
  ASSERT_EQ(stat(libc->path.c_str(), &status), 0);
  EXPECT_EQ(libc->bytes, status.st_size);
  EXPECT_EQ(libc->inode, status.st_ino);
  EXPECT_EQ(libc->mtime_ns / 1'000'000'000, status.st_mtim.tv_sec);
}

TEST(LoadedObjects, HaveFilesAllOfThem) {
  for (const auto& object : loaded_objects()) {
    EXPECT_TRUE(std::filesystem::path(object.path).is_absolute()) << object.path;  // the vdso is not among them
    EXPECT_GT(object.bytes, 0) << object.path;
  }
}

TEST(LoadedObjects, IncludeWhatWasOpenedLater) {
  const auto before = loaded_objects();
  ASSERT_EQ(find(before, "libBrokenLocale.so.1"), nullptr);
  void* const library = dlopen("libBrokenLocale.so.1", RTLD_NOW);  // a part of glibc that programs do not link to
  ASSERT_NE(library, nullptr);
  EXPECT_NE(find(loaded_objects(), "libBrokenLocale.so.1"), nullptr);
  dlclose(library);
}

TEST(LoadedObjects, SystemPaths) {
  EXPECT_TRUE(is_system_path("/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_TRUE(is_system_path("/usr/lib64/libm.so"));
  EXPECT_FALSE(is_system_path("/usr/local/lib/libtorch.so"));
  EXPECT_FALSE(is_system_path("/home/u/usr/lib/libtorch.so"));
  EXPECT_FALSE(is_system_path("/library/libx.so"));
}

}  // namespace
}  // namespace torchgate::machine
