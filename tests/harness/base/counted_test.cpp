// SPDX-License-Identifier: Apache-2.0
#include "harness/base/counted.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace torchgate::base {
namespace {

TEST(Grouped, ThreeDigitsAtATime) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-100), "-100");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Counted, AgreesWithItsNumber) {
  EXPECT_EQ(counted(1, "case", "cases"), "1 case");
  EXPECT_EQ(counted(0, "case", "cases"), "0 cases");
  EXPECT_EQ(counted(1200, "case", "cases"), "1,200 cases");
}

}  // namespace
}  // namespace torchgate::base
