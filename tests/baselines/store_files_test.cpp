// SPDX-License-Identifier: Apache-2.0
#include "baselines/store_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "baselines/folder_store.hpp"
#include "harness/base/content_hash.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

const std::string hash(64, 'a');

class StoreFiles : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path from() const { return scratch_.path() / "from"; }
  [[nodiscard]] fs::path to() const { return scratch_.path() / "to"; }
  static void put(const fs::path& folder, const record::Run& run, bool of_commit = true) {
    const auto store = open_folder_store(folder, OpenMode::create);
    ASSERT_TRUE(store) << store.error().message;
    const auto done = (*store)->put(run, of_commit);
    ASSERT_TRUE(done) << done.error().message;
  }
  /// The files of `from` without its marker, with the samples.
  [[nodiscard]] std::vector<StoreFile> all() const {
    std::vector<StoreFile> files;
    const auto shared = shared_files(from()).value();
    for (const StoreFile& file : shared) {
      if (file.kind == FileKind::marker) continue;
      files.push_back(file);
      if (file.kind != FileKind::record) continue;
      const auto parts = files_of_record(from(), file, 0).value();
      files.insert(files.end(), parts.begin(), parts.end());
    }
    return files;
  }

 private:
  base::testing::TemporaryFolder scratch_;
};

TEST_F(StoreFiles, TheLayoutIsAllThatAPathCanName) {
  const std::string record = "runs/" + host + "/20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json";
  const auto parsed = parse_store_path(record);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->kind, FileKind::record);
  EXPECT_EQ(parsed->entry, (Entry{"0123456789abcdef", host, "2026-11-21T01:23:45.678Z", "1a2b3c4d5e6f"}));
  EXPECT_EQ(parse_store_path("torchgate-store.json")->kind, FileKind::marker);
  EXPECT_EQ(parse_store_path("objects/aa/" + hash)->sha256, hash);
  EXPECT_EQ(parse_store_path("runs/h/" + hash + ".samples")->kind, FileKind::samples);
  EXPECT_EQ(parse_store_path("calibrations/h/20261121012345678.json")->kind, FileKind::calibration);
  const std::string commit(40, 'c');
  EXPECT_EQ(parse_store_path("waivers/" + commit + "/1234567890.toml")->kind, FileKind::waivers);
  EXPECT_EQ(parse_store_path("pins/v1.2/20261121012345678.json")->kind, FileKind::pin);
  for (const std::string& other : {std::string(),
                                   std::string("waivers/main/1.toml"),
                                   "waivers/" + commit + "/x.toml",
                                   std::string("pins/v1.2/now.json"),
                                   std::string("pins/.v1/20261121012345678.json"),
                                   std::string("pins/20261121012345678.json"),
                                   "waivers/" + commit + "/1.json",
                                   "waivers/" + commit + "/.toml",
                                   std::string("/"),
                                   std::string("README.md"),
                                   "./" + record,
                                   "../" + record,
                                   "/" + record,
                                   record + "/x",
                                   std::string("runs/../20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json"),
                                   std::string("runs/.git/20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json"),
                                   std::string("runs/h"),
                                   std::string("runs//20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json"),
                                   std::string("runs/h/config"),
                                   std::string("runs/h/20261121T012345.678Z-1a2b3c4d5e6f-0123456789ABCDEF.json"),
                                   "objects/ab/" + hash,
                                   "objects/aa/" + hash + "0",
                                   std::string("objects/aa/.."),
                                   "runs/h/" + hash,
                                   std::string("runs/h/.samples"),
                                   std::string("calibrations/h/.json"),
                                   std::string("calibrations/h/1.json"),
                                   "samples/h/" + hash + ".samples",
                                   std::string("runs/h\n/20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json"),
                                   std::string("torchgate-store.json/x")})
    EXPECT_FALSE(parse_store_path(other).has_value()) << other;
}

TEST_F(StoreFiles, BaselinesAreSharedAndOtherRunsAreNot) {
  put(from(), sample_run(1));
  put(from(), sample_run(2), false);
  write(from() / "calibrations" / host / "20261121012345678.json", "{}");
  write(from() / "calibrations" / host / "notes.txt", "");
  const auto files = shared_files(from()).value();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].kind, FileKind::marker);
  EXPECT_EQ(files[1].entry->id, id(1));
  EXPECT_EQ(files[2].kind, FileKind::calibration);
  const auto parts = files_of_record(from(), files[1], 0).value();
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts.front().kind, FileKind::samples);
  EXPECT_EQ(shared_files(to()).error().code, ErrorCode::no_verdict);
}

TEST_F(StoreFiles, ObjectsUpToASize) {
  const std::string small(100, 's');
  const std::string large(200, 'l');
  record::Run run = sample_run(1);
  const auto object = [&](const std::string& content) {
    const std::string sha256 = base::sha256(content);
    write(from() / "objects" / sha256.substr(0, 2) / sha256, content);
    record::LoadedObject loaded;
    loaded.path = "/build/" + sha256;
    loaded.bytes = static_cast<std::int64_t>(content.size());
    loaded.sha256 = sha256;
    return loaded;
  };
  put(from(), sample_run(9));  // makes the store
  run.objects = {object(small), object(large)};
  put(from(), run);
  const auto files = shared_files(from()).value();
  const auto record =
      std::find_if(files.begin(), files.end(), [](const auto& file) { return file.entry && file.entry->id == id(1); });
  const auto count = [&](std::uint64_t limit) { return files_of_record(from(), *record, limit).value().size() - 1; };
  EXPECT_EQ(count(0), 0U);
  EXPECT_EQ(count(100), 1U);
  EXPECT_EQ(count(200), 2U);
}

TEST_F(StoreFiles, AFileIsWhatItsNameSays) {
  put(from(), sample_run(1));
  for (const StoreFile& file : all()) {
    EXPECT_TRUE(check_content(file, from() / file.path)) << file.path;
    write(to() / "other", "{}");
    const auto other = check_content(file, to() / "other");
    ASSERT_FALSE(other) << file.path;
    EXPECT_EQ(other.error().code, ErrorCode::bad_input);
    fs::create_symlink(from() / file.path, to() / "link");
    EXPECT_FALSE(check_content(file, to() / "link")) << file.path;
    fs::remove(to() / "link");
  }
  // A sound record under the name of another.
  const StoreFile file = shared_files(from()).value().at(1);
  for (const auto& change : {std::pair<std::string, std::string>{id(1), id(2)},
                             {"/" + host, "/" + other_host},
                             {"20261120T", "20261121T"},
                             {"c0ffee", "c0ffff"}}) {
    std::string path = file.path;
    path.replace(path.find(change.first), change.first.size(), change.second);
    const auto renamed = parse_store_path(path);
    ASSERT_TRUE(renamed.has_value()) << path;
    EXPECT_FALSE(check_content(*renamed, from() / file.path)) << path;
  }
}

// The copy that was read is in a folder that is gone by then.
TEST_F(StoreFiles, WhatIsWrongWithARecordNamesItByItsPathInTheStore) {
  put(from(), sample_run(1));
  const auto files = shared_files(from()).value();
  for (const StoreFile& file : files) {
    if (file.kind != FileKind::record) continue;
    write(to() / file.path, "{ ");
    const auto checked = check_content(file, to() / file.path);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message.rfind(file.path + ": the record cannot be read: ", 0), 0U)
        << checked.error().message;
    EXPECT_EQ(checked.error().message.find(to().string()), std::string::npos) << checked.error().message;
  }
}

TEST_F(StoreFiles, ADamagedPinOrCalibrationIsNamedWithWhatToDo) {
  for (const std::string path : {"pins/v1.2/20261121012345678.json", "calibrations/h/20261121012345678.json"}) {
    write(to() / "damaged", "{ ");
    const auto checked = check_content(*parse_store_path(path), to() / "damaged");
    ASSERT_FALSE(checked) << path;
    EXPECT_EQ(checked.error().message.find(path + ": the record cannot be read: "), 0U) << checked.error().message;
    EXPECT_NE(checked.error().message.find("; restore the file"), std::string::npos) << checked.error().message;
  }
}

TEST_F(StoreFiles, ACopyIsTheSameStore) {
  for (unsigned number : {1U, 2U, 3U}) put(from(), sample_run(number));
  ASSERT_TRUE(open_folder_store(to(), OpenMode::create));
  ASSERT_TRUE(place_files(to(), from(), all()));
  ASSERT_TRUE(place_files(to(), from(), all())) << "the second time";
  const auto store = open_folder_store(to(), OpenMode::existing).value();
  ASSERT_EQ(store->list({}).value().size(), 3U);
  auto run = store->load(id(2)).value();
  ASSERT_TRUE(store->load_samples(run));
  for (const StoreFile& file : all()) EXPECT_EQ(read(to() / file.path), read(from() / file.path));
  EXPECT_EQ(store->put(sample_run(2), true).value(), PutOutcome::already_there);
}

TEST_F(StoreFiles, ARunHasOneRecord) {
  put(from(), sample_run(1));
  put(to(), sample_run(1), false);
  put(from(), sample_run(2));
  const auto placed = place_files(to(), from(), all());
  ASSERT_FALSE(placed);
  EXPECT_NE(placed.error().message.find("has two records"), std::string::npos) << placed.error().message;
  EXPECT_EQ(open_folder_store(to(), OpenMode::existing).value()->list({}).value().size(), 1U) << "nothing was placed";
}

}  // namespace
}  // namespace torchgate::baselines::testing
