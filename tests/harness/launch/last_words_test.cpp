// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/last_words.hpp"

#include <gtest/gtest.h>

namespace torchgate::launch {
namespace {

using namespace std::string_literals;

TEST(LastWords, NothingAndLittle) {
  EXPECT_EQ(last_words(""), "");
  EXPECT_EQ(last_words("\n \n\t\n"), "");
  EXPECT_EQ(last_words("one"), "one");
  EXPECT_EQ(last_words("one\n\ntwo\n\n"), "one\n\ntwo");
}

TEST(LastWords, KeepsTwentyLines) {
  std::string text;
  for (int i = 1; i <= 25; ++i) text += std::to_string(i) + "\n";
  const std::string words = last_words(text);
  EXPECT_TRUE(words.starts_with("6\n7\n"));
  EXPECT_TRUE(words.ends_with("\n25"));
}

TEST(LastWords, KeepsTheEndOfALongLineWithoutCuttingACharacter) {
  std::string text;
  while (text.size() < 3 * last_words_bytes) text += "\xe2\x82\xac";  // three bytes each: 4000 is not a multiple
  const std::string words = last_words(text);
  EXPECT_EQ(words.size(), last_words_bytes / 3 * 3);
  EXPECT_TRUE(words.starts_with("\xe2\x82\xac"));
}

TEST(LastWords, RemovesWhatMovesTheCursor) {
  EXPECT_EQ(last_words("\x1b[31;1mred\x1b[0m\r\a\b and\0 plain\x7f"s), "red and plain");
  EXPECT_EQ(last_words("cut \x1b["), "cut");
}

TEST(LastWords, IsAlwaysUtf8) {
  EXPECT_EQ(last_words("a\xff\xfe\xc3 b"), "a??? b");
  EXPECT_EQ(last_words("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82"),
            "?? ??? ???? ??");  // overlong, surrogate, too high, cut
  EXPECT_EQ(last_words("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"), "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
}

}  // namespace
}  // namespace torchgate::launch
