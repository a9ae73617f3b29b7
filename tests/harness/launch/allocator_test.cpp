// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/allocator.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace torchgate::launch {
namespace {

class AllocatorEnvironment : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("GLIBC_TUNABLES"); }
  void TearDown() override { unsetenv("GLIBC_TUNABLES"); }
};

TEST_F(AllocatorEnvironment, OfTheSystemHasNoVariables) {
  EXPECT_TRUE(allocator_environment(Allocator::system).empty());
}

TEST_F(AllocatorEnvironment, SteadyKeepsMemoryThatWasFreed) {
  const auto variables = allocator_environment(Allocator::steady);
  ASSERT_EQ(variables.size(), 1U);
  EXPECT_EQ(variables.front().name, "GLIBC_TUNABLES");
  EXPECT_NE(variables.front().value.find("glibc.malloc.mmap_max=0"), std::string::npos);
  EXPECT_NE(variables.front().value.find("glibc.malloc.trim_threshold="), std::string::npos);
}

// glibc takes the last of two settings of one tunable.
TEST_F(AllocatorEnvironment, TunablesOfTheCallerComeLast) {
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=0", 1);
  const std::string value = allocator_environment(Allocator::steady).front().value;
  EXPECT_TRUE(value.ends_with(":glibc.malloc.hugetlb=0")) << value;
}

}  // namespace
}  // namespace torchgate::launch
