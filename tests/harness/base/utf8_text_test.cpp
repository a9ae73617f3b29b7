// SPDX-License-Identifier: Apache-2.0
#include "harness/base/utf8_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace torchgate::base {
namespace {

// "{é€😀}" in UTF-8, and what Python's encode() makes of it.
const std::string utf8 = "{\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80}";
const std::string little("\x7B\x00\xE9\x00\xAC\x20\x3D\xD8\x00\xDE\x7D\x00", 12);
const std::string big("\x00\x7B\x00\xE9\x20\xAC\xD8\x3D\xDE\x00\x00\x7D", 12);

// In pieces of SIZE bytes, read into spaces of another size.
std::string through(const std::string& text, std::size_t size) {
  TextSource source =
      utf8_of([rest = std::string_view(text), size](std::span<char> space) mutable -> Result<std::size_t> {
        const std::size_t taken = std::min({rest.size(), space.size(), size});
        std::memcpy(space.data(), rest.data(), taken);
        rest.remove_prefix(taken);
        return taken;
      });
  std::string all;
  for (std::string space(5, '\0');;) {
    const auto count = source(std::span(space));
    EXPECT_TRUE(count);
    if (!count || *count == 0) return all;
    all += space.substr(0, *count);
  }
}

TEST(Utf8Text, ReadsEveryEncodingInPiecesOfAnySize) {
  const std::vector<std::string> texts{utf8, "\xEF\xBB\xBF" + utf8, "\xFF\xFE" + little, "\xFE\xFF" + big, little, big};
  for (const std::string& text : texts) {
    EXPECT_EQ(utf8_of(text), utf8);
    for (const std::size_t size : {1U, 2U, 3U, 7U, 100U}) EXPECT_EQ(through(text, size), utf8) << size;
  }
}

TEST(Utf8Text, LeavesOtherTextAlone) {
  for (const std::string& text : {std::string(), std::string("a"), std::string("\xEF\xBB"), std::string("\xFFx"),
                                  std::string(2, '\0'), std::string("name,iterations"), std::string("a\xEF\xBB\xBF")}) {
    EXPECT_EQ(utf8_of(text), text);
    EXPECT_EQ(through(text, 1), text);
  }
}

TEST(Utf8Text, MalformedUtf16IsReplaced) {
  const std::string mark = "\xFF\xFE";
  const auto units = [&](std::string bytes) { return utf8_of(mark + bytes); };
  EXPECT_EQ(units(std::string("\x3D\xD8\x61\x00", 4)),
            "\xEF\xBF\xBD"
            "a");  // a high surrogate alone
  EXPECT_EQ(units(std::string("\x00\xDE\x61\x00", 4)),
            "\xEF\xBF\xBD"
            "a");                                                         // a low one
  EXPECT_EQ(units(std::string("\x61\x00\x3D\xD8", 4)), "a\xEF\xBF\xBD");  // the end in a pair
  EXPECT_EQ(units(std::string("\x61\x00\x62", 3)), "a\xEF\xBF\xBD");      // the end in a unit
  EXPECT_EQ(through(mark + std::string("\x61\x00\x62", 3), 2), "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace torchgate::base
