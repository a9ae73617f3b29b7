// SPDX-License-Identifier: Apache-2.0
#include "harness/json/json_writer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/harness/record/arbitrary_record.hpp"

namespace torchgate::json {
namespace {

template <class T>
std::string written(const T& value) {
  JsonWriter json;
  json.value(value);
  return json.take();
}

TEST(JsonWriter, WritesCompactly) {
  JsonWriter json;
  json.begin_object();
  json.member("a", std::int64_t{-1});
  json.member("b", std::optional<bool>(true));
  json.member("c", std::optional<bool>());
  json.member_unless(std::string(), "d", std::string());
  json.member_list("e", std::vector<std::string>{"x", "y"});
  json.key("f");
  json.begin_array();
  json.begin_object();
  json.end_object();
  json.null();
  json.raw("{}");
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.take(), R"({"a":-1,"b":true,"e":["x","y"],"f":[{},null,{}]})");
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

}  // namespace
}  // namespace torchgate::json
