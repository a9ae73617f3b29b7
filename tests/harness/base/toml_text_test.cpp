// SPDX-License-Identifier: Apache-2.0
#include "harness/base/toml_text.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(TomlText, HasQuotesAndControlsEscaped) {
  EXPECT_EQ(toml_text("tps=higher"), R"("tps=higher")");
  EXPECT_EQ(toml_text(R"(lat "p99" \ f`x`)"), R"("lat \"p99\" \\ f`x`")");
  EXPECT_EQ(toml_text("a\tb\x7f"), R"("a\u0009b\u007F")");
  EXPECT_EQ(toml_text("µs"), "\"µs\"");
}

}  // namespace
}  // namespace torchgate::base
