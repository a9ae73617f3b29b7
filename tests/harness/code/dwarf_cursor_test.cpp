// SPDX-License-Identifier: Apache-2.0
#include "harness/code/dwarf_cursor.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace torchgate::code {
namespace {

using Bytes = std::vector<std::uint8_t>;

// DWARF 5, section 7.6, "Examples of unsigned LEB128 encodings" and of signed ones.
TEST(DwarfCursor, ReadsTheExamplesOfTheStandard) {
  const Bytes unsigned_bytes{2, 0x7f, 0x80, 1, 0x81, 1, 0x82, 1, 0xb9, 0x64};
  DwarfCursor unsigned_cursor(unsigned_bytes, 0);
  for (const std::uint64_t expected : {2U, 127U, 128U, 129U, 130U, 12857U})
    EXPECT_EQ(unsigned_cursor.unsigned_leb(), expected);
  EXPECT_TRUE(unsigned_cursor.at_end());
  const Bytes signed_bytes{2, 0x7e, 0xff, 0, 0x81, 0x7f, 0x80, 1, 0x80, 0x7f, 0x81, 1, 0xff, 0x7e};
  DwarfCursor signed_cursor(signed_bytes, 0);
  for (const std::int64_t expected : {2, -2, 127, -127, 128, -128, 129, -129})
    EXPECT_EQ(signed_cursor.signed_leb(), expected);
  EXPECT_TRUE(signed_cursor.at_end());
  EXPECT_FALSE(signed_cursor.failed());
}

TEST(DwarfCursor, PointersAreRelativeToWhereTheyStand) {
  const Bytes bytes{0xf0, 0xff, 0xff, 0xff, 0x10, 0, 0, 0, 0, 0, 0, 0};
  DwarfCursor cursor(bytes, 0x1000);
  EXPECT_EQ(cursor.pointer(0x1b), 0x0ff0U);  // pcrel | sdata4
  EXPECT_EQ(cursor.pointer(0x9b), 0x1014U);  // the same, to a pointer
  EXPECT_EQ(cursor.pointer(0x1b), 0U);
  EXPECT_FALSE(cursor.failed());
  EXPECT_TRUE(cursor.at_end());
}

TEST(DwarfCursor, FailsAtItsEndAndForUnknownEncodings) {
  const Bytes endless(12, 0x80);
  DwarfCursor number(endless, 0);
  EXPECT_EQ(number.unsigned_leb(), 0U);
  EXPECT_TRUE(number.failed());
  const Bytes three{1, 2, 3};
  DwarfCursor short_one(three, 0);
  EXPECT_EQ(short_one.fixed(4), 0U);
  EXPECT_TRUE(short_one.failed());
  EXPECT_EQ(short_one.fixed(1), 0U);
  DwarfCursor text(three, 0);
  EXPECT_EQ(text.text(), "");
  EXPECT_TRUE(text.failed());
  for (const std::uint8_t encoding : Bytes{0x05, 0x20, 0x50, 0xff}) {
    const Bytes eight(8, 1);
    DwarfCursor unknown(eight, 0);
    EXPECT_EQ(unknown.pointer(encoding), 0U);
    EXPECT_TRUE(unknown.failed()) << int{encoding};
  }
  DwarfCursor parts(three, 0);
  EXPECT_TRUE(parts.part(4).failed());
  EXPECT_TRUE(parts.failed());
}

}  // namespace
}  // namespace torchgate::code
