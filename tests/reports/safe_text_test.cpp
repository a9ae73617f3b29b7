// SPDX-License-Identifier: Apache-2.0
#include "reports/safe_text.hpp"

#include <gtest/gtest.h>

namespace torchgate::reports {
namespace {

std::string encoded(char32_t value) {
  std::string text;
  append_utf8(text, value);
  return text;
}

TEST(SafeText, LinesOfAMessageAreJoinedAsItsParts) {
  EXPECT_EQ(joined_lines("ended with exit code 1\nlast output:\nno such file\r\n\nTry --help.\nstarted again\n"),
            "ended with exit code 1; last output: no such file; Try --help. started again");
  EXPECT_EQ(joined_lines("one line"), "one line");
  EXPECT_EQ(joined_lines("\n"), "");
}

TEST(DecodeUtf8, ReadsWhatAppendWrites) {
  for (const char32_t value : {0x00U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    const std::string text = encoded(value);
    const CodePoint point = decode_utf8(text, 0);
    EXPECT_EQ(point.value, value);
    EXPECT_EQ(point.bytes, text.size());
  }
}

// The kinds of malformed input of Unicode 15, section 3.9: each bad byte is one replacement character.
TEST(DecodeUtf8, MalformedBytesAreReplacedOneByOne) {
  EXPECT_EQ(one_line("\x80"), "�");                 // a continuation alone
  EXPECT_EQ(one_line("\xC3"), "�");                 // cut off
  EXPECT_EQ(one_line("\xC3("), "�(");               // no continuation
  EXPECT_EQ(one_line("\xC0\xAF"), "��");            // overlong "/"
  EXPECT_EQ(one_line("\xE0\x80\xAF"), "���");       // overlong "/"
  EXPECT_EQ(one_line("\xED\xA0\x80"), "���");       // a surrogate
  EXPECT_EQ(one_line("\xF4\x90\x80\x80"), "����");  // above U+10FFFF
  EXPECT_EQ(one_line("\xFF\xFE"), "��");
}

TEST(OneLine, KeepsWhatCanBeRead) {
  const std::string text = "conv_bn/größe:8 日本語 🙂 é";
  EXPECT_EQ(one_line(text), text);
}

TEST(OneLine, BreaksAndTabsAreSpaces) {
  EXPECT_EQ(one_line("a\nb\r\nc\td\u2028e\u2029f\u0085g"), "a b  c d e f g");
}

TEST(OneLine, ControlAndDirectionCharactersAreVisible) {
  EXPECT_EQ(one_line("\x1B[31m"), "�[31m");
  EXPECT_EQ(one_line(std::string_view("\0\x7F", 2)), "��");
  EXPECT_EQ(one_line("\u009B31m"), "�31m");
  for (const char32_t deceptive :
       {0x00ADU, 0x061CU, 0x200BU, 0x200FU, 0x202AU, 0x202EU, 0x2060U, 0x2066U, 0x2069U, 0xFEFFU, 0xE0041U}) {
    EXPECT_EQ(one_line("a" + encoded(deceptive) + "b"), "a�b") << std::hex << static_cast<unsigned>(deceptive);
  }
}

// Printable characters are copied in one piece: every single byte at the beginning, between two of them and at the end.
TEST(OneLine, OfEachByteBesidePrintableOnes) {
  for (int byte = 0; byte < 0x100; ++byte) {
    const char c = static_cast<char>(static_cast<unsigned char>(byte));
    const std::string shown = byte >= 0x20 && byte < 0x7F    ? std::string(1, c)
                              : byte >= 0x09 && byte <= 0x0D ? " "
                                                             : "�";
    EXPECT_EQ(one_line(std::string(1, c) + "b"), shown + "b") << byte;
    EXPECT_EQ(one_line(std::string("a") + c + "b"), "a" + shown + "b") << byte;
    EXPECT_EQ(one_line(std::string("a") + c), "a" + shown) << byte;
  }
}

TEST(OneAsciiLine, SpellsWhatAsciiCanSay) {
  EXPECT_EQ(one_ascii_line("±5 µs → “a” … é"), "+-5 us -> \"a\" ... ?");
  EXPECT_EQ(one_ascii_line("\xFF"), "?");
}

}  // namespace
}  // namespace torchgate::reports
