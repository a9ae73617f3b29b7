// SPDX-License-Identifier: Apache-2.0
#include "harness/base/hexadecimal.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(LowerHex, HasDigitsAndNothingElse) {
  EXPECT_TRUE(is_lower_hex("0123456789abcdef"));
  EXPECT_FALSE(is_lower_hex(""));
  EXPECT_FALSE(is_lower_hex("ABC"));
  EXPECT_FALSE(is_lower_hex("abcdefg"));
  EXPECT_FALSE(is_lower_hex(" ab"));
  EXPECT_FALSE(is_lower_hex("ab\n"));
}

}  // namespace
}  // namespace torchgate::base
