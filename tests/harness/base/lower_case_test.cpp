// SPDX-License-Identifier: Apache-2.0
#include "harness/base/lower_case.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(LowerCase, ChangesLettersOfAsciiOnly) {
  EXPECT_EQ(lower_case("GitHub.COM:8443 @[`{"), "github.com:8443 @[`{");
  EXPECT_EQ(lower_case("AZaz09"), "azaz09");
  EXPECT_EQ(lower_case("\xc3\x89t\xc3\xa9"), "\xc3\x89t\xc3\xa9");
  EXPECT_EQ(lower_case(""), "");
}

}  // namespace
}  // namespace torchgate::base
