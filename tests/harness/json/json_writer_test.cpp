// SPDX-License-Identifier: Apache-2.0
#include "harness/json/json_writer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/harness/record/arbitrary_record.hpp"

namespace torchgate::json {
namespace {

template <class T>
std::string written(const T& value, const Layout& layout = record_layout) {
  JsonWriter json(layout);
  json.value(value);
  return json.take();
}

template <class T>
std::string reported(const T& value) {
  return written(value, report_layout);
}

TEST(JsonWriter, WritesCompactly) {
  JsonWriter json;
  json.begin_object();
  json.member("a", std::int64_t{-1});
  json.member("b", std::optional<bool>(true));
  json.member("c", std::optional<bool>());
  json.member_if("d", std::optional<bool>());
  json.member_if("d", std::optional<bool>(false));
  json.member("e", std::vector<std::string>{"x", "y"});
  json.key("f");
  json.begin_array();
  json.begin_object();
  json.end_object();
  json.null();
  json.raw("{}");
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.take(), R"({"a":-1,"b":true,"c":null,"d":false,"e":["x","y"],"f":[{},null,{}]})");
}

TEST(JsonWriter, WritesTheShortestTextOfADouble) {
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(1.0), "1");
  EXPECT_EQ(written(1e23), "1e+23");
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, EscapesWhatJsonMustEscape) {
  EXPECT_EQ(written(std::string_view("\"\\\n\r\t\x01\x1F\x7F/\0", 10)),
            "\"\\\"\\\\\\n\\r\\t\\u0001\\u001f\x7F/\\u0000\"");
}

TEST(JsonWriter, AnotherReaderReadsTheSame) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *record::testing::arbitrary_text();
    const double number = *record::testing::arbitrary_double();
    RC_ASSERT(nlohmann::json::parse(written(text)).get<std::string>() == text);
    RC_ASSERT(nlohmann::json::parse(written(number)).get<double>() == number);
  }));
}

TEST(JsonWriter, WritesJsonWhateverTheBytesAre) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { RC_ASSERT(nlohmann::json::accept(written(bytes))); }));
}

// --- layouts; nlohmann_json's dump() of the same values is the yardstick ---------------------------------------------

TEST(ReportLayout, WritesNumbersAsPeopleRead) {
  for (const double number : {0.0,       -0.0, 1.0,  -2.5,    0.1,  1e-4, 1.5e-4,  9.99e-5, 1e-6,
                              123456.75, 1e14, 1e15, 1.25e15, 1e16, 1e22, -1e-300, 5e-324,  1.7976931348623157e308,
                              222100.0,  0.05}) {
    EXPECT_EQ(reported(number), nlohmann::json(number).dump());
  }
  EXPECT_EQ(reported(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(reported(true), "true");
  EXPECT_EQ(reported(std::nan("")), "null");
  EXPECT_EQ(reported(-std::numeric_limits<double>::infinity()), "null");
}

TEST(ReportLayout, WritesTheDoubleThatWasMeant) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const std::string text = reported(number);
    ASSERT_EQ(nlohmann::json::parse(text).get<double>(), number) << text;
    ASSERT_LE(text.size(), nlohmann::json(number).dump().size()) << text;
  }
}

TEST(ReportLayout, EscapesWhatIsNotPlainAscii) {
  for (const char* text : {"", "plain", "\"\\/\b\f\n\r\t", "\x01\x1f\x7f", "µs ±5 %", "🔥", "\u2028"}) {
    EXPECT_EQ(reported(std::string_view(text)), nlohmann::json(text).dump(-1, ' ', true));
  }
  EXPECT_EQ(reported(std::string_view("a\xFF\xC3")), "\"a\\ufffd\\ufffd\"");
  EXPECT_EQ(reported(std::string_view("\0", 1)), "\"\\u0000\"");
}

// Literals are checked by the compiler; a name of a file may hold anything.
TEST(ReportLayout, KeysFromOutsideAreEscaped) {
  JsonWriter json(report_layout);
  json.begin_object();
  json.key_of("a\"\xFF\n");
  json.value(true);
  json.end_object();
  EXPECT_EQ(json.take(), "{\n  \"a\\\"\\ufffd\\n\": true\n}");
}

TEST(ReportLayout, WhatIsDeepIsOnOneLine) {
  JsonWriter json(report_layout);
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

TEST(ReportLayout, IndentsByTwo) {
  JsonWriter json(report_layout);
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

TEST(FileLayout, IsThatOfNlohmann) {
  JsonWriter json(file_layout);
  json.begin_object();
  json.member("text", "µs \b\f\x01\x7f");
  json.member("list", std::vector<double>{1, 0.25, 1e-7});
  json.end_object();
  const nlohmann::ordered_json same = {{"text", "µs \b\f\x01\x7f"}, {"list", {1.0, 0.25, 1e-7}}};
  EXPECT_EQ(json.take(), same.dump(1));
}

}  // namespace
}  // namespace torchgate::json
