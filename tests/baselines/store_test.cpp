// SPDX-License-Identifier: Apache-2.0
#include "baselines/store.hpp"
#include "baselines/open_store.hpp"

#include <gtest/gtest.h>

#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

using base::ErrorCode;

TEST(OpenStore, APathAndAFileUrlAreTheSameStore) {
  const base::testing::TemporaryFolder scratch;
  const std::string folder = (scratch.path() / "deep" / "store").string();
  ASSERT_TRUE(open_store(folder, OpenMode::create).value()->put(sample_run(1), true));
  const auto store = open_store("file://" + folder, OpenMode::existing);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->list({}).value().size(), 1U);
}

TEST(OpenStore, SaysWhatALocationMayBe) {
  for (const char* location : {"", "s3://bucket/x", "file://relative/x"}) {
    const auto store = open_store(location, OpenMode::create);
    ASSERT_FALSE(store) << location;
    EXPECT_EQ(store.error().code, ErrorCode::bad_input) << location;
    EXPECT_NE(store.error().message.find(*location == 'f' ? "file:///" : "folder"), std::string::npos)
        << store.error().message;
  }
}

TEST(OpenStore, DoesNotRepeatAPasswordInAnError) {
  for (const char* location :
       {"postgresql://user:secret@%2Fnowhere/db", "postgresql://user:sec/ret@host/db", "s3://key:secret@bucket"})
    EXPECT_EQ(open_store(location, OpenMode::create).error().message.find("secret"), std::string::npos);
}

TEST(OpenStore, RefusesAFile) {
  const base::testing::TemporaryFolder scratch;
  write(scratch.path() / "file", "x");
  const auto store = open_store((scratch.path() / "file").string(), OpenMode::create);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace torchgate::baselines::testing
