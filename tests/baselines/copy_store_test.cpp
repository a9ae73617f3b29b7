// SPDX-License-Identifier: Apache-2.0
// Between folders; into a database and back: postgresql_store_test.cpp.
#include "baselines/copy_store.hpp"

#include <gtest/gtest.h>

#include "baselines/folder_store.hpp"
#include "harness/base/content_hash.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

class CopyStore : public ::testing::Test {
 protected:
  [[nodiscard]] base::Result<CopyReport> copy() const { return copy_store(*from_, *to_, {scratch_.path()}); }

  base::testing::TemporaryFolder scratch_;
  std::unique_ptr<Store> from_ = open_folder_store(scratch_ / "from", OpenMode::create).value();
  std::unique_ptr<Store> to_ = open_folder_store(scratch_ / "to", OpenMode::create).value();
};

TEST_F(CopyStore, GoesOnWhereItWasStopped) {
  for (const unsigned number : {1U, 2U, 3U}) ASSERT_TRUE(from_->put(sample_run(number), true));
  std::size_t asked = 0;
  CopyOptions options{scratch_.path()};
  options.stop = [&] { return asked++ == 2; };
  const auto stopped = copy_store(*from_, *to_, options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
  EXPECT_EQ(to_->list({}).value().size(), 2U);
  const auto report = copy();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->runs_added, 1U);
  EXPECT_EQ(report->runs_already_there, 2U);
}

TEST_F(CopyStore, ARunThatCannotBeCopiedCostsNoOtherRun) {
  auto other = sample_run(1);
  other.warnings = {"the machine was busy"};
  ASSERT_TRUE(to_->put(other, true));
  ASSERT_TRUE(to_->put(sample_run(4), false));
  for (const unsigned number : {1U, 2U, 3U, 4U}) ASSERT_TRUE(from_->put(sample_run(number), true));
  for (const auto& file : fs::recursive_directory_iterator(scratch_ / "from"))
    if (file.path().string().ends_with(id(2) + ".json")) write(file.path(), "{ ");
  const auto report = copy();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->runs_added, 1U);
  ASSERT_EQ(report->not_copied.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NE(report->not_copied[i].find(id(i == 0 ? 1 : 2)), std::string::npos) << report->not_copied[i];
  EXPECT_NE(report->not_copied[2].find("another role"), std::string::npos) << report->not_copied[2];
  EXPECT_EQ(to_->load(id(1)).value().warnings, other.warnings) << "what was stored is not changed";
}

TEST_F(CopyStore, APinThatWasRemovedLaterStaysRemovedAndADamagedOneIsNamed) {
  for (const auto* store : {&from_, &to_}) ASSERT_TRUE((*store)->put(sample_run(1), true));
  for (const std::string name : {"removed", "damaged", "good"}) {
    const Pin pin{name, "2026-11-20T02:00:00.000Z", sample_run(1).sides[0].source.commit.value(), {id(1)}, "0.1.0"};
    ASSERT_TRUE(from_->put_pin(pin));
  }
  ASSERT_TRUE(to_->put_pin({"removed", "2026-11-20T03:00:00.000Z", "", {}, "0.1.0"}));
  write(scratch_ / "to/pins/damaged/20261120010000000.json", "{ ");
  const auto report = copy();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->pins_added, 1U);
  ASSERT_EQ(report->not_copied.size(), 1U);
  EXPECT_NE(report->not_copied[0].find("damaged"), std::string::npos) << report->not_copied[0];
  EXPECT_FALSE(to_->pin("removed").value());
  EXPECT_TRUE(to_->pin("good").value());
}

TEST_F(CopyStore, PrunedSamplesAndMissingObjectsStayAway) {
  auto run = sample_run(1);
  run.objects.push_back({"/gone/suite", "", 7, 1, 1, base::sha256("gone"), true, false});
  ASSERT_TRUE(from_->put(run, true));
  for (const auto& file : fs::recursive_directory_iterator(scratch_ / "from"))
    if (file.path().extension() == ".samples") fs::remove(file.path());
  const auto report = copy();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->not_copied.empty());
  EXPECT_EQ(report->runs_added, 1U);
  auto copied = to_->load(id(1)).value();
  EXPECT_EQ(to_->load_samples(copied).error().code, ErrorCode::not_found);
}

TEST_F(CopyStore, ADamagedObjectIsNamedAndTheRunIsCopied) {
  write(scratch_ / "suite", "a suite");
  const std::string hash = base::sha256("a suite");
  auto run = sample_run(1);
  run.objects.push_back({(scratch_ / "suite").string(), "", 7, 1, 1, hash, true, false});
  ASSERT_TRUE(from_->put_object(scratch_ / "suite", hash));
  ASSERT_TRUE(from_->put(run, true));
  const fs::path kept = scratch_ / "from/objects" / hash.substr(0, 2) / hash;
  fs::permissions(kept, fs::perms::owner_write, fs::perm_options::add);
  write(kept, "another");
  const auto report = copy();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->runs_added, 1U);
  EXPECT_EQ(report->objects_added, 0U);
  ASSERT_EQ(report->not_copied.size(), 1U);
  EXPECT_NE(report->not_copied[0].find(hash), std::string::npos) << report->not_copied[0];
}

}  // namespace
}  // namespace torchgate::baselines::testing
