// SPDX-License-Identifier: Apache-2.0
#include "harness/base/boxed.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "harness/base/rare_text.hpp"

namespace torchgate::base {
namespace {

TEST(Boxed, IsAnOptionalValueInOnePointer) {
  static_assert(sizeof(Boxed<std::string>) == sizeof(void*));
  Boxed<std::string> value;
  EXPECT_FALSE(value);
  value = std::string("a");
  const Boxed<std::string> copy = value;
  *value = "b";
  EXPECT_EQ(*copy, "a");
  EXPECT_FALSE(value == copy);
  value.reset();
  EXPECT_FALSE(value.has_value());
  EXPECT_TRUE(value == Boxed<std::string>());
}

TEST(Boxed, TakesAnOptional) {
  EXPECT_EQ(*Boxed<std::string>(std::optional<std::string>("a")), "a");
  EXPECT_FALSE(Boxed<std::string>(std::optional<std::string>()));
}

TEST(RareText, ReadsAsAString) {
  static_assert(sizeof(RareText) == sizeof(void*));
  RareText text;
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(text.text(), "");
  text = "why";
  const RareText copy = text;
  const std::string& as_string = text;
  EXPECT_EQ(as_string, "why");
  text = std::string();
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(copy.text(), "why");
}

TEST(RareText, IsEqualByItsText) {
  EXPECT_TRUE(RareText("a") == RareText("a"));
  EXPECT_FALSE(RareText("a") == RareText("b"));
  EXPECT_TRUE(RareText("") == RareText());
}

}  // namespace
}  // namespace torchgate::base
