// SPDX-License-Identifier: Apache-2.0
#include "harness/base/significant_digits.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using torchgate::base::significant_digits;

TEST(SignificantDigits, LeaveOutZerosAtTheEndAndRounding) {
  EXPECT_EQ(significant_digits(12.31), 4U);
  EXPECT_EQ(significant_digits(0.001231), 4U);
  EXPECT_EQ(significant_digits(-12.31), 4U);
  EXPECT_EQ(significant_digits(1231), 4U);
  EXPECT_EQ(significant_digits(1200), 2U) << "1.2 us in ns";
  EXPECT_EQ(significant_digits(100), 1U);
  EXPECT_EQ(significant_digits(1), 1U);
  EXPECT_EQ(significant_digits(10203), 5U);
  EXPECT_EQ(significant_digits(1.0000001), 8U);
  EXPECT_EQ(significant_digits(1.231e-30), 4U);
  EXPECT_EQ(significant_digits(2e30), 1U);
  EXPECT_EQ(significant_digits(0.1 + 0.2), 1U) << "rounding behind the 15th digit";
  EXPECT_EQ(significant_digits(0.0123 * 1e9), 3U);
  EXPECT_EQ(significant_digits(1.0 / 3), 15U);
  EXPECT_EQ(significant_digits(0), 0U);
  EXPECT_EQ(significant_digits(std::numeric_limits<double>::infinity()), 0U);
}

}  // namespace
