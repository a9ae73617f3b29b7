// SPDX-License-Identifier: Apache-2.0
// The contract, and what only a folder has: its layout, its marker, and what others may leave in it.
#include "baselines/folder_store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "harness/base/content_hash.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/baselines/store_contract.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

INSTANTIATE_TEST_SUITE_P(Folder, StoreContract,
                         ::testing::Values(StoreUnderTest{
                             "folder",
                             [](const fs::path& scratch) {
                               return open_folder_store(scratch / "store", OpenMode::create).value();
                             }}),
                         store_name);

class FolderStoreTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path root() const { return scratch_.path() / "store"; }
  [[nodiscard]] std::unique_ptr<Store> open() const { return open_folder_store(root(), OpenMode::create).value(); }
  [[nodiscard]] std::vector<std::string> everything() const {
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(root())) {
      if (entry.is_regular_file()) paths.push_back(fs::relative(entry.path(), root()).string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  base::testing::TemporaryFolder scratch_;
};

TEST_F(FolderStoreTest, TheLayoutIsWhatTheReadmeSays) {
  const auto store = open();
  const auto run = sample_run(1, commit("1a2b3c4d5e6f7"));
  ASSERT_TRUE(store->put(run, true));
  auto uncommitted = sample_run(2);
  uncommitted.processes[0].cases[0].measurements[0].samples.clear();
  ASSERT_TRUE(store->put(uncommitted, false));
  write(scratch_.path() / "object", "an object");
  const auto hash = base::sha256("an object");
  ASSERT_TRUE(store->put_object(scratch_.path() / "object", hash));

  const auto samples = store->load(run.id).value().samples;
  ASSERT_TRUE(samples);
  std::vector<std::string> expected{
      "objects/" + hash.substr(0, 2) + "/" + hash,
      "runs/" + host + "/" + samples->sha256 + ".samples",
      "runs/" + host + "/20261120T000001.250Z-1a2b3c4d5e6f-0000000000000001.json",
      "runs/" + host + "/20261120T000002.250Z-nocommit-0000000000000002.json",
      "torchgate-store.json",
  };
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(everything(), expected);
  EXPECT_EQ(read(root() / "torchgate-store.json"), "{\"schema\": \"torchgate.store/1\"}\n");
}

TEST_F(FolderStoreTest, OpeningAMissingStoreSaysHowToCreateIt) {
  const auto opened = open_folder_store(root(), OpenMode::existing);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::no_verdict);
  EXPECT_NE(opened.error().message.find("torchgate baseline add"), std::string::npos);
  EXPECT_FALSE(fs::exists(root()));
}

TEST_F(FolderStoreTest, IsMadeInAFolderThatHasOtherThings) {
  write(root() / ".git" / "HEAD", "ref: refs/heads/data");
  write(root() / "README.md", "baselines of project x");
  ASSERT_TRUE(open()->put(sample_run(1), true));
  EXPECT_TRUE(open_folder_store(root(), OpenMode::existing));
}

TEST_F(FolderStoreTest, AnUnknownVersionIsRefused) {
  write(root() / "torchgate-store.json", "{\"schema\": \"torchgate.store/2\"}\n");
  for (const auto mode : {OpenMode::existing, OpenMode::create}) {
    const auto opened = open_folder_store(root(), mode);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::bad_input);
    EXPECT_NE(opened.error().message.find("torchgate.store/1"), std::string::npos);
  }
}

TEST_F(FolderStoreTest, AStoreWithoutItsMarkerIsNotTakenOver) {
  write(root() / "runs" / "precious.txt", "another user's runs");
  EXPECT_EQ(open_folder_store(root(), OpenMode::create).error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(root() / "torchgate-store.json"));
}

TEST_F(FolderStoreTest, ListsOnlyRecords) {
  const auto store = open();
  ASSERT_TRUE(store->put(sample_run(1), true));
  const auto folder = root() / "runs" / host;
  const auto record = folder / "20261120T000001.250Z-c0ffee000000-0000000000000001.json";
  ASSERT_TRUE(fs::exists(record));
  const auto before = store->list({}).value();

  for (const char* name : {".20261120T000009.250Z-c0ffee000000-0000000000000009.json.123.tmp", "x.json", "notes.txt",
                           "20261120T000009.250Z-c0ffee000000-0000000000000009.json.tmp",
                           "20261120T000009.250Z-C0FFEE000000-0000000000000009.json",
                           "20261120T000009.250Z-c0ffee00000-0000000000000009.json",
                           "20261120T0000.250Z-c0ffee000000-0000000000000009.json",
                           "20261120T000009.250Z-c0ffee000000-000000000000000.json", "--.json", "-.json", ".json"}) {
    write(folder / name, read(record).substr(0, 40));
  }
  write(root() / "runs" / "20261120T000009.250Z-c0ffee000000-0000000000000009.json", "in no host's folder");
  fs::create_directory(folder / "20261120T000008.250Z-c0ffee000000-0000000000000008.json");
  fs::create_symlink(record, folder / "20261120T000007.250Z-c0ffee000000-0000000000000007.json");
  fs::create_directory_symlink(folder, root() / "runs" / "linked-host");
  fs::create_directory(root() / "runs" / "empty-host");
  EXPECT_EQ(store->list({}).value(), before);
}

TEST_F(FolderStoreTest, WhatAListingSawIsNotBelievedAfterwards) {
  const auto store = open();
  for (const unsigned number : {1U, 2U, 3U}) ASSERT_TRUE(store->put(sample_run(number), true));
  ASSERT_EQ(store->list({}).value().size(), 3U);
  const auto folder = root() / "runs" / host;
  const auto first = folder / "20261120T000001.250Z-c0ffee000000-0000000000000001.json";
  EXPECT_EQ(store->load(id(1)).value().id, id(1));
  fs::remove(first);
  EXPECT_EQ(store->load(id(1)).error().code, ErrorCode::not_found);
  ASSERT_TRUE(open()->put(sample_run(4), true));
  EXPECT_EQ(store->load(id(4)).value().id, id(4)) << "of another writer";
  EXPECT_EQ(store->put(sample_run(4), true).value(), PutOutcome::already_there);

  const auto second = folder / "20261120T000002.250Z-c0ffee000000-0000000000000002.json";
  fs::copy_file(second, folder / "20261120T000009.250Z-c0ffee000000-0000000000000002.json");
  EXPECT_EQ(store->list({}).value().size(), 4U);
  EXPECT_EQ(store->load(id(2)).error().code, ErrorCode::bad_input) << "two records of that id";
  EXPECT_EQ(store->load(id(3)).value().id, id(3));
}

TEST_F(FolderStoreTest, ADamagedRecordIsAnErrorThatNamesTheFile) {
  const auto store = open();
  ASSERT_TRUE(store->put(sample_run(1), true));
  ASSERT_TRUE(store->put(sample_run(2), true));
  const auto folder = root() / "runs" / host;
  const auto first = folder / "20261120T000001.250Z-c0ffee000000-0000000000000001.json";
  const auto second = folder / "20261120T000002.250Z-c0ffee000000-0000000000000002.json";

  const auto content = read(first);
  write(first, content.substr(0, content.size() / 2));
  auto loaded = store->load(id(1));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::bad_input);
  EXPECT_NE(loaded.error().message.find(first.string()), std::string::npos) << loaded.error().message;

  write(first, read(second));
  loaded = store->load(id(1));
  ASSERT_FALSE(loaded) << "a record under another run's name";
  EXPECT_EQ(loaded.error().code, ErrorCode::bad_input);
  EXPECT_EQ(store->list({}).value().size(), 2U) << "listing reads no record";
}

TEST_F(FolderStoreTest, ADamagedCalibrationIsNamedWithWhatToDo) {
  const auto store = open();
  fs::create_directories(root() / "calibrations" / host);
  write(root() / "calibrations" / host / "20261121012345678.json", "{ ");
  const auto damaged = store->calibration(host);
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("20261121012345678.json: "), std::string::npos) << damaged.error().message;
  EXPECT_TRUE(damaged.error().message.ends_with("; remove this file, or run `torchgate calibrate` again"))
      << damaged.error().message;
}

TEST_F(FolderStoreTest, ACalibrationOfAnotherTimeThanItsNameIsAnError) {
  const auto store = open();
  record::Calibration made;
  made.host_key = host;
  made.created = "2026-01-01T00:00:00.000Z";
  made.runs = {"aaaa", "bbbb", "cccc"};
  made.run_sd = 0.02;
  fs::create_directories(root() / "calibrations" / host);
  write(root() / "calibrations" / host / "20260102000000000.json", record::to_json(made));
  const auto other = store->calibration(host);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("differs from the file name; remove"), std::string::npos)
      << other.error().message;
}

TEST_F(FolderStoreTest, PrunedSamplesAreNotFoundAndContradictNothing) {
  const auto store = open();
  const auto run = sample_run(1);
  ASSERT_TRUE(store->put(run, true));
  auto loaded = store->load(run.id).value();
  ASSERT_TRUE(loaded.samples);
  fs::remove(root() / "runs" / host / (loaded.samples->sha256 + ".samples"));
  EXPECT_EQ(store->load_samples(loaded).error().code, ErrorCode::not_found);
  EXPECT_EQ(store->put(run, true).value(), PutOutcome::already_there);
}

TEST_F(FolderStoreTest, ASpoiledObjectIsNoticedAndHealed) {
  const auto store = open();
  const auto source = scratch_.path() / "object";
  write(source, "an object");
  const auto hash = base::sha256("an object");
  ASSERT_TRUE(store->put_object(source, hash));
  const auto kept = root() / "objects" / hash.substr(0, 2) / hash;
  fs::permissions(kept, fs::perms::owner_write, fs::perm_options::add);
  write(kept, "an objecT");

  const auto out = scratch_.path() / "out";
  EXPECT_EQ(store->get_object(hash, out).error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(store->put_object(source, hash).value(), PutOutcome::added);
  EXPECT_TRUE(store->get_object(hash, out));
  EXPECT_EQ(read(out), "an object");
}

TEST_F(FolderStoreTest, ManyProcessesMayMakeItAtOnce) {
  constexpr int rounds = 25;  // a reader seldom runs between the two steps of a writer
  for (int round = 0; round < rounds; ++round) {
    const auto folder = scratch_.path() / ("store-" + std::to_string(round));
    std::vector<pid_t> children;
    for (unsigned i = 0; i < 8; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        const auto store = open_folder_store(folder, OpenMode::create);
        ::_exit(store && (*store)->put(sample_run(i), true) ? 0 : 1);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(open_folder_store(folder, OpenMode::existing).value()->list({}).value().size(), 8U);
  }
}

}  // namespace
}  // namespace torchgate::baselines::testing
