// SPDX-License-Identifier: Apache-2.0
#include "harness/base/significant_digits.hpp"

#include <gtest/gtest.h>

namespace {

using torchgate::base::significant_digits;

TEST(SignificantDigits, AreThoseOfTheShortestText) {
  EXPECT_EQ(significant_digits(12.31), 4U);
  EXPECT_EQ(significant_digits(0.001231), 4U);
  EXPECT_EQ(significant_digits(-12.31), 4U);
  EXPECT_EQ(significant_digits(1231), 4U);
  EXPECT_EQ(significant_digits(1200), 4U) << "1200 has an exact value, 1.2e3 is another text";
  EXPECT_EQ(significant_digits(1.231e-30), 4U);
  EXPECT_EQ(significant_digits(2e30), 1U);
  EXPECT_EQ(significant_digits(0.1 + 0.2), 17U);
  EXPECT_EQ(significant_digits(0), 0U);
}

}  // namespace
