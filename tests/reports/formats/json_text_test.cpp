// SPDX-License-Identifier: Apache-2.0
// nlohmann_json's dump() of the same values is the yardstick.
#include "reports/formats/json_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace torchgate::reports {
namespace {

template <class T>
std::string text_of(const T& value) {
  JsonText json;
  json.value(value);
  return json.take();
}

TEST(JsonText, WritesNumbersAsPeopleRead) {
  for (const double number : {0.0,       -0.0, 1.0,  -2.5,    0.1,  1e-4, 1.5e-4,  9.99e-5, 1e-6,
                              123456.75, 1e14, 1e15, 1.25e15, 1e16, 1e22, -1e-300, 5e-324,  1.7976931348623157e308,
                              222100.0,  0.05}) {
    EXPECT_EQ(text_of(number), nlohmann::json(number).dump());
  }
  EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text_of(true), "true");
  EXPECT_EQ(text_of(std::nan("")), "null");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonText, WritesTheDoubleThatWasMeant) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const std::string text = text_of(number);
    ASSERT_EQ(nlohmann::json::parse(text).get<double>(), number) << text;
    ASSERT_LE(text.size(), nlohmann::json(number).dump().size()) << text;
  }
}

TEST(JsonText, EscapesWhatIsNotPlainAscii) {
  for (const char* text : {"", "plain", "\"\\/\b\f\n\r\t", "\x01\x1f\x7f", "µs ±5 %", "🔥", "\u2028"}) {
    EXPECT_EQ(text_of(std::string_view(text)), nlohmann::json(text).dump(-1, ' ', true));
  }
  EXPECT_EQ(text_of(std::string_view("a\xFF\xC3")), "\"a\\ufffd\\ufffd\"");
  EXPECT_EQ(text_of(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(JsonText, WhatIsDeepIsOnOneLine) {
  JsonText json;
  json.begin_object();
  json.key("list");
  json.begin_array();
  json.begin_object();
  json.key("a");
  json.begin_object();
  json.key("b");
  json.begin_array();
  json.value(std::int64_t{1});
  json.value(std::int64_t{2});
  json.end_array();
  json.key("c");
  json.begin_object();
  json.end_object();
  json.end_object();
  json.key("d");
  json.null();
  json.end_object();
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.take(), R"({
  "list": [
    {
      "a": {"b": [1, 2], "c": {}},
      "d": null
    }
  ]
})");
}

TEST(JsonText, IndentsByTwo) {
  JsonText json;
  json.begin_object();
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.key("list");
  json.begin_array();
  json.value(std::int64_t{1});
  json.null();
  json.begin_object();
  json.end_object();
  json.end_array();
  json.key("last");
  json.value(std::string_view("x"));
  json.end_object();
  const nlohmann::ordered_json same = {{"empty", nlohmann::ordered_json::array()},
                                       {"list", {1, nullptr, nlohmann::ordered_json::object()}},
                                       {"last", "x"}};
  EXPECT_EQ(json.take(), same.dump(2));
}

}  // namespace
}  // namespace torchgate::reports
