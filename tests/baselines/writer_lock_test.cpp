// SPDX-License-Identifier: Apache-2.0
// Who waits for a store says so, and not for ever.
#include "baselines/writer_lock.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <vector>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines {
namespace {

class WriterLockTest : public ::testing::Test {
 protected:
  WriterLockTest() {
    std::ofstream{marker_};
    held_.emplace(WriterLock::take(marker_).value());
  }
  ~WriterLockTest() override { set_lock_wait({}); }

  base::testing::TemporaryFolder folder_;
  std::filesystem::path marker_ = folder_.path() / "store.json";
  std::optional<WriterLock> held_;
  std::vector<std::string> told_;
};

TEST_F(WriterLockTest, SaysForWhatAndForHowLong) {
  set_lock_wait({[&](const std::string& sentence) {
                   told_.push_back(sentence);
                   held_.reset();  // the other writer ends
                 },
                 {}});
  EXPECT_TRUE(WriterLock::take(marker_));
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_[0], "Waiting for another torchgate process that writes to the store " + folder_.path().string() +
                          " (it has locked " + marker_.string() + "), for at most 10 min");
}

TEST_F(WriterLockTest, EndsWithItsLimit) {
  set_lock_wait({[&](const std::string& sentence) { told_.push_back(sentence); }, {}, std::chrono::milliseconds(100)});
  const auto refused = WriterLock::take(marker_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::io);
  EXPECT_NE(refused.error().message.find("locked by another torchgate process"), std::string::npos);
  EXPECT_EQ(told_.size(), 1U) << "told once";
}

TEST_F(WriterLockTest, EndsWhenAskedToStop) {
  set_lock_wait({{}, [] { return true; }});
  EXPECT_EQ(WriterLock::take(marker_).error().code, base::ErrorCode::interrupted);
}

}  // namespace
}  // namespace torchgate::baselines
