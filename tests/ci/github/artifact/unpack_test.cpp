// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/unpack.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>

#include "ci/github/artifact/artifact_limits.hpp"
#include "harness/process/temporary_folder.hpp"
#include "tests/ci/github/artifact/made_zip.hpp"

namespace torchgate::github::testing {
namespace {

namespace fs = std::filesystem;

class Unpack : public ::testing::Test {
 protected:
  base::Result<Unpacked> unpack_bytes(const std::string& bytes) const {
    std::ofstream(zip(), std::ios::binary) << bytes;
    return unpack(zip(), into());
  }

  // The message; "accepted" if there is none. Nothing of a refused file remains: neither its files nor a temporary folder.
  std::string refusal(const std::string& bytes) const {
    const auto unpacked = unpack_bytes(bytes);
    if (unpacked) return "accepted";
    EXPECT_EQ(unpacked.error().code, base::ErrorCode::bad_input);
    EXPECT_TRUE(unpacked.error().message.starts_with(zip().string() + ": ")) << unpacked.error().message;
    EXPECT_FALSE(fs::exists(into()));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_->path()), {}), 1) << "more than the zip file";
    return unpacked.error().message.substr(zip().string().size() + 2);
  }

  void refuses(const std::string& bytes, const std::string& message) const {
    const std::string said = refusal(bytes);
    EXPECT_NE(said.find(message), std::string::npos) << "expected: " << message << "\nsaid: " << said;
  }

  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> contents;
    for (const auto& file : fs::directory_iterator(into())) {
      std::ifstream stream(file.path(), std::ios::binary);
      contents[file.path().filename().string()] = {std::istreambuf_iterator<char>(stream), {}};
    }
    return contents;
  }

  [[nodiscard]] fs::path folder_path() const { return folder_->path(); }
  [[nodiscard]] fs::path zip() const { return folder_->path() / "artifact.zip"; }
  [[nodiscard]] fs::path into() const { return folder_->path() / "into"; }

 private:
  base::Result<process::TemporaryFolder> folder_ = process::TemporaryFolder::create();
};

TEST_F(Unpack, PlacesTheFiles) {
  const auto unpacked =
      unpack_bytes(zip_of({entry("run.json"), but(entry(samples_name, "\x01\x02"), [](auto& e) { e.method = 0; }),
                           entry("commit", std::string(40, 'c') + "\n"), entry("empty.json", "")}));
  ASSERT_TRUE(unpacked.ok()) << unpacked.error().message;
  EXPECT_EQ(unpacked->files, 4);
  EXPECT_EQ(unpacked->bytes, json.size() + 2 + 41);
  const std::map<std::string, std::string> want{
      {"run.json", json}, {samples_name, "\x01\x02"}, {"commit", std::string(40, 'c') + "\n"}, {"empty.json", ""}};
  EXPECT_EQ(files(), want);
}

TEST_F(Unpack, FilesAreNeverExecutable) {
  ASSERT_TRUE(unpack_bytes(zip_of({but(entry("run.json"), [](auto& e) { e.external = 0104777U << 16U; })})).ok());
  struct stat status {};
  ASSERT_EQ(::lstat((into() / "run.json").c_str(), &status), 0);
  EXPECT_TRUE(S_ISREG(status.st_mode));
  EXPECT_EQ(status.st_mode & 07777U & ~0644U, 0U);
}

// tests/fixtures/github/README.md says which program made them.
TEST_F(Unpack, TakesWhatOtherProgramsWrite) {
  for (const auto& file : fs::directory_iterator(fs::path(TORCHGATE_TESTS_DIR) / "fixtures/github")) {
    if (file.path().extension() != ".zip") continue;
    const auto unpacked = unpack(file.path(), into());
    ASSERT_TRUE(unpacked.ok()) << unpacked.error().message;
    EXPECT_EQ(files()["run.json"], "{\"schema\":\"torchgate.run/1\",\"warnings\":[]}\n") << file;
    EXPECT_EQ(files()["commit"], "0123456789abcdef0123456789abcdef01234567\n") << file;
    fs::remove_all(into());
  }
}

TEST_F(Unpack, RefusesTooManyEntries) {
  std::vector<MadeEntry> entries;
  for (std::size_t i = 0; i < max_artifact_entries; ++i) entries.push_back(entry(std::to_string(i) + ".json"));
  EXPECT_EQ(refusal(zip_of(entries)), "accepted");
  fs::remove_all(into());
  entries.push_back(entry("more.json"));
  refuses(zip_of(entries), "201 entries, more than the limit of 200");
  refuses(zip_of({}), "no entries");
  MadeZip lying;
  lying.entries = {entry("a.json"), entry("b.json")};
  lying.count = 1;
  refuses(bytes_of(lying), "bytes after the last entry");
  lying.count = 3;
  refuses(bytes_of(lying), "entry 3: no header in the central directory");
}

TEST_F(Unpack, RefusesTooManyBytes) {
  std::ofstream(zip(), std::ios::binary) << "PK";
  fs::resize_file(zip(), max_artifact_bytes + 1);  // sparse
  const auto large = unpack(zip(), into());
  ASSERT_FALSE(large.ok());
  EXPECT_NE(large.error().message.find("larger than the limit of 67108864 bytes"), std::string::npos);

  const auto declaring = [](std::uint32_t size) { return but(entry("run.json"), [&](auto& e) { e.size = size; }); };
  refuses(zip_of({declaring(max_inflated_bytes + 1)}), "declares 67108865 bytes, more than the limit of 67108864");
  refuses(zip_of({declaring(5000)}), "declares 5000 bytes in 30 compressed ones, beyond the limit of 100 to 1");
  refuses(zip_of({entry("run.json", std::string(1U << 20U, 'a'))}), "beyond the limit of 100 to 1");
}

// Each within the limits, together above: 65 files of a MiB that deflate makes 50 times smaller.
TEST_F(Unpack, RefusesTooManyBytesTogether) {
  std::string content;
  for (unsigned i = 0; content.size() < (1U << 20U); ++i)
    content += std::to_string(i * 2654435761U) + std::string(600, 'a');
  content.resize(1U << 20U);
  std::vector<MadeEntry> entries;
  const std::string packed = deflated(content);
  for (int i = 0; i < 64; ++i)
    entries.push_back(but(entry(std::to_string(i) + ".json", content), [&](auto& e) { e.packed = packed; }));
  EXPECT_EQ(refusal(zip_of(entries)), "accepted");
  fs::remove_all(into());
  entries.push_back(entry("more.json", "1"));
  refuses(zip_of(entries), "declares 67108865 bytes in all files together, more than the limit of 67108864");
}

// Sizes that are within the limits, and a content that is not: counted while it is inflated.
TEST_F(Unpack, RefusesLyingSizes) {
  const std::string content(100, 'x');
  const auto lying = [&](std::uint32_t size) {
    return zip_of({entry("first.json"), but(entry("run.json", content), [&](auto& e) { e.size = size; })});
  };
  refuses(lying(99), "entry \"run.json\": inflates to more than the 99 bytes that it declares");
  refuses(lying(0), "inflates to more than the 0 bytes");
  refuses(lying(101), "inflates to 100 bytes, but declares 101");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.crc = 1; })}), "its content does not match its CRC");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.method = 0, e.size = 5; })}),
          "stored, but its two sizes differ");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.method = 0, e.crc = 1; })}), "does not match its CRC");
  const std::string packed = deflated(json);
  refuses(zip_of({but(entry("run.json"), [&](auto& e) { e.packed = packed.substr(0, packed.size() - 1); })}),
          "invalid or truncated compressed content");
  refuses(zip_of({but(entry("run.json"), [&](auto& e) { e.packed = packed + "x"; })}),
          "bytes after the end of its compressed content");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.packed = "\xff\xff\xff"; })}), "invalid or truncated");
}

TEST_F(Unpack, RefusesAFolderWithFiles) {
  const std::string bytes = zip_of({entry("run.json")});
  fs::create_directory(into());
  ASSERT_TRUE(unpack_bytes(bytes).ok()) << "an empty folder is replaced";
  const auto again = unpack_bytes(bytes);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, base::ErrorCode::bad_input);
  EXPECT_EQ(again.error().message, into().string() + ": not empty; give --into a new folder");
  fs::remove_all(into());
  fs::create_directory_symlink(folder_path(), into());
  EXPECT_FALSE(unpack_bytes(bytes).ok()) << "a link to a folder";
  fs::remove(into());
  for (const char* name : {".", "..", "/", "", "a/.."}) EXPECT_FALSE(unpack(zip(), name).ok()) << name;
  EXPECT_FALSE(unpack(zip(), into() / "missing" / "into").ok());
  EXPECT_TRUE(unpack(zip(), into().string() + "/").ok()) << "a trailing slash";
  EXPECT_FALSE(unpack(folder_path() / "none.zip", folder_path() / "other").ok());
  EXPECT_FALSE(unpack(folder_path(), folder_path() / "other").ok()) << "a folder is not a zip file";
}

}  // namespace
}  // namespace torchgate::github::testing
