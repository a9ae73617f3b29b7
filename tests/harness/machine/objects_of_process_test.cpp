// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/objects_of_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/machine/elf_soname.hpp"
#include "harness/machine/loaded_objects.hpp"

namespace torchgate::machine {
namespace {

namespace fs = std::filesystem;

TEST(ObjectsOfProcess, FromOutsideTheyAreWhatTheProcessItselfSays) {
  ObjectsOfProcess outside;
  outside.look(getpid());
  std::vector<record::LoadedObject> seen = outside.objects();
  std::vector<record::LoadedObject> said = loaded_objects();
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0], said[0]);
  const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  std::sort(seen.begin(), seen.end(), by_path);
  std::sort(said.begin(), said.end(), by_path);
  EXPECT_EQ(seen, said);
}

TEST(ObjectsOfProcess, LooksAddUpAndAnEndChangesNothing) {
  ObjectsOfProcess outside;
  outside.look(getpid());
  const auto before = outside.objects();
  outside.look(getpid());
  EXPECT_EQ(outside.objects(), before);
  constexpr pid_t nobody = 1 << 30;
  outside.look(nobody);
  EXPECT_EQ(outside.objects(), before);
}

TEST(ObjectsOfProcess, TakesOnlyFilesWithCode) {
  const std::string maps =
      "5500-5600 r--p 00000000 08:01 10    /opt/my bench\n"
      "5600-5700 r-xp 00001000 08:01 10    /opt/my bench\n"
      "7f00-7f10 r--p 00000000 08:01 11    /data/weights.bin\n"
      "7f10-7f20 r-xp 00000000 08:01 12    /usr/lib/liba\\012b.so\n"
      "7f20-7f30 rwxp 00000000 00:00 0 \n"
      "7f30-7f40 r-xp 00000000 08:01 13    /opt/old.so (deleted)\n"
      "7f40-7f50 r-xp 00000000 00:00 0     [vdso]\n"
      "5700-5800 r-xp 00002000 08:01 10    /opt/my bench\n";
  EXPECT_EQ(executable_files(maps),
            (std::vector<std::string>{"/opt/my bench", "/usr/lib/liba\nb.so", "/opt/old.so (deleted)"}));
  EXPECT_TRUE(executable_files("").empty());
  EXPECT_TRUE(executable_files("rubbish\n\n/ x").empty());
}

TEST(ElfSoname, IsEmptyForWhatHasNone) {
  EXPECT_EQ(elf_soname("/no/such/file"), "");
  EXPECT_EQ(elf_soname("/proc/self/exe"), "");
  EXPECT_EQ(elf_soname("/etc/passwd"), "");
}

TEST(ElfSoname, SurvivesAFileThatIsCutShortOrDamaged) {
  const auto objects = loaded_objects();
  const auto library = std::find_if(objects.begin(), objects.end(), [](const auto& each) { return !each.executable; });
  ASSERT_NE(library, objects.end());
  EXPECT_EQ(elf_soname(library->path), library->soname);
  std::ifstream in(library->path, std::ios::binary);
  std::string bytes(4096, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const fs::path damaged = fs::path(::testing::TempDir()) / ("damaged" + std::to_string(getpid()));
  for (std::size_t size : {0U, 3U, 40U, 70U, 500U, 4096U}) {
    std::ofstream(damaged, std::ios::binary) << bytes.substr(0, size);
    elf_soname(damaged);  // returns
  }
  for (std::size_t at = 4; at < 700; ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(0xFF);
    std::ofstream(damaged, std::ios::binary) << changed;
    elf_soname(damaged);
  }
  fs::remove(damaged);
}

}  // namespace
}  // namespace torchgate::machine
