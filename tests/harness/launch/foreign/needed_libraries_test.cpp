// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/needed_libraries.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "harness/machine/elf_soname.hpp"
#include "harness/machine/loaded_objects.hpp"
#include "harness/machine/objects_of_process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

std::set<std::string> paths_of(const std::vector<record::LoadedObject>& objects) {
  std::set<std::string> paths;
  for (const auto& object : objects) paths.insert(object.path);
  return paths;
}

TEST(NeededLibraries, AreWhatTheLoaderMapsForThisProgram) {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const auto needed = needed_libraries({}, self);
  ASSERT_TRUE(needed.objects) << needed.unknown;
  const auto loaded = machine::loaded_objects();
  EXPECT_EQ(needed.objects->front(), loaded.front());
  const auto paths = paths_of(loaded);
  for (const auto& object : *needed.objects) EXPECT_TRUE(paths.contains(object.path)) << object.path;
  EXPECT_TRUE(std::any_of(needed.objects->begin(), needed.objects->end(),
                          [](const auto& object) { return object.soname == "libc.so.6" && object.system; }));
}

TEST(NeededLibraries, FollowTheEnvironmentAsTheProgramDoes) {
  const auto folder = process::TemporaryFolder::create().value();
  const auto before = needed_libraries({}, TORCHGATE_MANUAL_BENCHMARK);
  ASSERT_TRUE(before.objects) << before.unknown;
  const auto library = std::find_if(before.objects->begin(), before.objects->end(),
                                    [](const auto& object) { return object.soname.starts_with("libbenchmark.so"); });
  if (library == before.objects->end()) GTEST_SKIP() << "Google Benchmark is linked statically";
  fs::copy_file(library->path, folder.path() / library->soname);
  process::Command command;
  command.environment = {{"LD_LIBRARY_PATH", folder.path().string()}};
  const auto after = needed_libraries(command, TORCHGATE_MANUAL_BENCHMARK);
  ASSERT_TRUE(after.objects) << after.unknown;
  EXPECT_TRUE(paths_of(*after.objects).contains(fs::canonical(folder.path() / library->soname).string()));
  EXPECT_FALSE(paths_of(*after.objects).contains(library->path));
}

TEST(NeededLibraries, OfAScriptAreNotKnown) {
  const auto folder = process::TemporaryFolder::create().value();
  const fs::path script = folder.path() / "run.sh";
  std::ofstream(script) << "#!/bin/sh\ntouch started\n";
  chmod(script.c_str(), S_IRWXU);
  process::Command command;
  command.working_directory = folder.path();
  const auto needed = needed_libraries(command, script);
  EXPECT_FALSE(needed.objects);
  EXPECT_NE(needed.unknown.find("run.sh is not an ELF file"), std::string::npos) << needed.unknown;
  EXPECT_FALSE(fs::exists(folder.path() / "started"));
  EXPECT_FALSE(needed_libraries({}, folder.path() / "missing").objects);
}

TEST(NeededLibraries, AreAddedToWhatWasSeenBeforeTheProgramEnded) {
  const auto needed = needed_libraries({}, TORCHGATE_MANUAL_BENCHMARK);
  ASSERT_TRUE(needed.objects);
  std::vector<record::LoadedObject> nothing;
  add_needed(needed, nothing);
  EXPECT_EQ(nothing, *needed.objects);
  std::vector<record::LoadedObject> all = *needed.objects;
  all.push_back(machine::object_at("/opt/opened_later.so", false));
  const auto seen = all;
  add_needed(needed, all);
  EXPECT_EQ(all, seen);
  std::vector<record::LoadedObject> at_exec{needed.objects->front()};
  add_needed(needed, at_exec);
  EXPECT_EQ(at_exec, *needed.objects);
}

TEST(NeededLibraries, AreNotAddedToAnotherExecutable) {
  const auto needed = needed_libraries({}, TORCHGATE_MANUAL_BENCHMARK);
  ASSERT_TRUE(needed.objects);
  std::vector<record::LoadedObject> other{machine::object_at(fs::canonical("/bin/sh").string(), true)};
  add_needed(needed, other);
  EXPECT_EQ(other.size(), 1U);
  other.clear();
  add_needed({std::nullopt, "a script"}, other);
  EXPECT_TRUE(other.empty());
}

TEST(NeededLibraries, AreReadFromTheLoadersLines) {
  EXPECT_EQ(listed_libraries("\tlinux-vdso.so.1 (0x00007ffd)\n\tliba b.so => /opt/a b/liba b.so (0x00007f01)\n"
                             "\t/lib64/ld-linux-x86-64.so.2 (0x00007f02)\n"),
            (std::vector<std::string>{"/opt/a b/liba b.so", "/lib64/ld-linux-x86-64.so.2"}));
  EXPECT_FALSE(listed_libraries("\tlibx.so => not found\n"));
  EXPECT_TRUE(listed_libraries("rubbish\n\n(0x")->empty());
}

TEST(ElfInterpreter, IsThatOfAProgram) {
  EXPECT_NE(machine::elf_interpreter("/proc/self/exe")->find("ld"), std::string::npos);
  EXPECT_FALSE(machine::elf_interpreter("/proc/self/maps"));
  EXPECT_FALSE(machine::elf_interpreter("/no/such/file"));
}

}  // namespace
}  // namespace torchgate::launch
