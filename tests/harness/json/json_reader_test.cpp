// SPDX-License-Identifier: Apache-2.0
// The reader accepts exactly what JSON is, as nlohmann_json sees it, and nothing that could exhaust memory.
#include "harness/json/json_reader.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "tests/harness/record/arbitrary_record.hpp"

namespace torchgate::json {
namespace {

bool accepts(std::string_view text) {
  JsonReader reader(text, "text");
  reader.skip();
  reader.end();
  return !reader.failed();
}

template <class Read>
std::string error_of(std::string_view text, Read&& read) {
  JsonReader reader(text, "file.json");
  read(reader);
  return reader.failed() ? reader.error().message : "none";
}

// Two rules are ours alone: no key twice, and no nesting beyond the limit (the texts here are too short for that).
bool has_duplicate_keys(const std::string& text) {
  std::vector<std::set<std::string>> open;
  bool twice = false;
  const auto parsed = nlohmann::json::parse(text, [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key) twice = twice || !open.back().insert(value.get<std::string>()).second;
    return true;
  });
  return twice && !parsed.is_discarded();
}

// It parses numbers into doubles at once and refuses 1e999 as a whole; here that is up to who reads the number.
bool has_a_number_beyond_a_double(const std::string& text) {
  try {
    const auto parsed = nlohmann::json::parse(text);
    return parsed.is_discarded();
  } catch (const nlohmann::json::out_of_range&) {
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

void expect_as_nlohmann(const std::string& text) {
  if (has_a_number_beyond_a_double(text)) return;
  bool valid = nlohmann::json::accept(text);
  if (valid) valid = !has_duplicate_keys(text);
  if (accepts(text) != valid) {
    RC_FAIL((valid ? "refused, but is JSON: " : "accepted, but is not JSON: ") + text);
  }
}

TEST(JsonReader, AcceptsWhatNlohmannAccepts) {
  EXPECT_TRUE(rc::check([] {
    const auto piece = rc::gen::element<std::string>(
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\":", "0", "1", "-", "-0", "01", "1.", ".5", "1.5", "e", "1e5",
        "E+2", "e-", "true", "false", "null", "nul", " ", "\n", "\t", "\f", "\\", "\"\\n\"", "\"\\u00e9\"",
        "\"\\ud83d\\udd25\"", "\"\\ud83d\"", "\"\\udd25\"", "\"\\x\"", "\"\\u12\"", "\"\x01\"", "\"\xC3\xA9\"",
        "\"\xC3\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "\"\xF0\x9F\x94\xA5\"", "\"\xF4\x90\x80\x80\"", "\xEF\xBB\xBF",
        "NaN", "Infinity", "//", "/*");
    std::string text;
    for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
    // A byte order mark is not JSON (RFC 8259, 8.1), but nlohmann_json skips it.
    if (text.starts_with("\xEF")) return RC_ASSERT(!accepts(text));
    expect_as_nlohmann(text);
  }));
}

TEST(JsonReader, AcceptsWhatNlohmannWritesAndRefusesItMutated) {
  EXPECT_TRUE(rc::check([] {
    nlohmann::json document;
    for (const std::string& key : *rc::gen::container<std::vector<std::string>>(record::testing::arbitrary_text())) {
      document[key] = {
          *record::testing::arbitrary_double(), key, {{"n", *rc::gen::arbitrary<std::int64_t>()}, {"b", nullptr}}};
    }
    std::string text = document.dump(*rc::gen::element(-1, 2));
    RC_ASSERT(accepts(text));
    const auto position = *rc::gen::inRange<std::size_t>(0, text.size());
    text[position] = *rc::gen::arbitrary<char>();
    if (!text.starts_with("\xEF")) expect_as_nlohmann(text);
  }));
}

TEST(JsonReader, ReadsTheDoubleThatWasMeant) {
  const auto read = [](std::string_view text) {
    JsonReader reader(text, "text");
    const double value = reader.number();
    EXPECT_FALSE(reader.failed()) << text;
    return value;
  };
  EXPECT_EQ(read("0.1"), 0.1);
  EXPECT_EQ(read("123456789012345678901234567890"), 123456789012345678901234567890.0);
  EXPECT_EQ(read("4.9406564584124654e-324"), 4.9406564584124654e-324);
  EXPECT_EQ(read("2.2250738585072011e-308"), 2.2250738585072011e-308);  // some parsers hang or round it wrongly
  EXPECT_EQ(read("9007199254740993"), 9007199254740992.0);              // halfway: to even
  EXPECT_TRUE(std::signbit(read("-0")));
}

TEST(JsonReader, TakesNaNForANumberOnlyWhereItIsTold) {
  for (const char* text : {"NaN", "Infinity", "-Infinity", "[1, NaN]"}) EXPECT_FALSE(accepts(text)) << text;
  const auto read = [](std::string_view text) {
    JsonReader reader(text, "text");
    reader.accept_non_finite();
    const auto number = reader.finite_number();
    reader.end();
    EXPECT_FALSE(reader.failed()) << text;
    return number;
  };
  EXPECT_EQ(read("NaN"), std::nullopt);
  EXPECT_EQ(read("-Infinity"), std::nullopt);
  EXPECT_EQ(read("2.5"), 2.5);
  JsonReader wants_a_value("NaN", "file.json");
  wants_a_value.accept_non_finite();
  wants_a_value.number();
  EXPECT_EQ(wants_a_value.error().message, "file.json: top level: expected a finite number, found NaN");
  for (const char* text : {"Na", "Nan", "-Inf", "NaNs", "-"}) {
    JsonReader reader(text, "text");
    reader.accept_non_finite();
    reader.skip();
    reader.end();
    EXPECT_TRUE(reader.failed()) << text;
  }
}

// A document that comes byte by byte, and one much larger than the window: what is read is the same as from memory.
TEST(JsonReader, ReadsThroughAWindowWhatItReadsFromMemory) {
  const auto all_of = [](JsonReader& reader) {
    std::string read;
    reader.object({"list"}, [&](std::string_view key) {
      read += key;
      if (key == "list") {
        reader.array([&](std::int64_t) {
          reader.object({}, [&](std::string_view inner) { (read += inner) += reader.string(); });
        });
      } else {
        reader.skip();
      }
      read += key;  // still there, though the window has moved on
    });
    reader.end();
    return reader.failed() ? reader.error().message : read;
  };
  const auto in_pieces = [](std::string_view text, std::size_t most) {
    return [text, most](std::span<char> space) mutable -> base::Result<std::size_t> {
      const std::size_t count = text.copy(space.data(), std::min(space.size(), most));
      text.remove_prefix(count);
      return count;
    };
  };
  std::string document = R"({"fir\u0073t": [1, 2], "list": [)";
  const std::string end = R"(], "last": {"a": null}} )";
  const std::string one = R"({"key": "value", "k\u0065y2": "\u00e9"})";
  for (std::size_t length = one.size(); length < 3 * json_window_bytes; length *= 100) {
    std::string text = document + one;
    while (text.size() < length) text += "," + one;
    text += end;
    JsonReader from_memory(text, "x");
    const std::string expected = all_of(from_memory);
    ASSERT_TRUE(expected.starts_with("firstfirstlistkey")) << expected.substr(0, 80);
    for (const std::size_t most : {std::size_t{1}, std::size_t{4099}, text.size()}) {
      if (most == 1 && text.size() > json_window_bytes) continue;
      JsonReader through_window(in_pieces(text, most), "x");
      ASSERT_EQ(all_of(through_window), expected) << length << ' ' << most;
    }
    JsonReader cut(in_pieces(std::string_view(text).substr(0, text.size() - 4), 4099), "x");
    EXPECT_EQ(all_of(cut), "x: /last/a: truncated after " + std::to_string(text.size() - 4) + " bytes: expected null");
  }
}

TEST(JsonReader, SaysThatItsSourceFailed) {
  const auto broken = [](std::span<char>) -> base::Result<std::size_t> {
    return base::Error{base::ErrorCode::io, "x: cannot read it"};
  };
  JsonReader reader(broken, "x");
  reader.skip();
  ASSERT_TRUE(reader.failed());
  EXPECT_EQ(reader.error().code, base::ErrorCode::io);
  EXPECT_EQ(reader.error().message, "x: cannot read it");
}

TEST(JsonReader, RefusesNumbersBeyondADouble) {
  const auto number = [](JsonReader& reader) { reader.number(); };
  for (const char* text : {"1e999", "-1e999", "1.8e308"}) {
    EXPECT_EQ(error_of(text, number), "file.json: top level: expected a finite number, found " + std::string(text) +
                                          ", which is too large for a double");
  }
}

TEST(JsonReader, ReadsIntegersToTheirLastUnit) {
  const auto integer = [](std::string_view text) { return JsonReader(text, "text").integer(); };
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(JsonReader("18446744073709551615", "text").unsigned_integer(), std::numeric_limits<std::uint64_t>::max());
}

TEST(JsonReader, SaysWhatItExpectedAndFound) {
  struct Row {
    const char* text;
    std::function<void(JsonReader&)> read;
    const char* message;
  };
  const auto integer = [](JsonReader& reader) { reader.integer(1, 9); };
  const auto least = [](JsonReader& reader) { reader.integer(1); };
  const auto string = [](JsonReader& reader) { reader.string(); };
  const auto boolean = [](JsonReader& reader) { reader.boolean(); };
  const auto number = [](JsonReader& reader) { reader.number(); };
  const auto natural = [](JsonReader& reader) { reader.unsigned_integer(); };
  const auto object = [](JsonReader& reader) { reader.object({}, [&](std::string_view) { reader.skip(); }); };
  const std::vector<Row> rows = {
      {"10", integer, "expected an integer from 1 to 9, found 10"},
      {"0", least, "expected an integer of at least 1, found 0"},
      {"1.5", least, "expected an integer of at least 1, found 1.5"},
      {"1e3", least, "expected an integer of at least 1, found 1e3"},
      {"9223372036854775808", least, "expected an integer of at least 1, found 9223372036854775808"},
      {"\"1\"", least, "expected an integer of at least 1, found the string \"1\""},
      {"-1", natural, "expected an integer from 0 to 18446744073709551615, found -1"},
      {"18446744073709551616", natural,
       "expected an integer from 0 to 18446744073709551615, found 18446744073709551616"},
      {"null", number, "expected a number, found null"},
      {"true,", number, "expected a number, found true"},
      {"[1]", number, "expected a number, found an array"},
      {"NaN", number, "not JSON at byte 0: expected a number, found \"N\""},
      {"1", boolean, "expected true or false, found 1"},
      {"trap", boolean, "not JSON at byte 0: expected true or false, found \"t\""},
      {"tru", boolean, "truncated after 3 bytes: expected true or false"},
      {"{}", string, "expected a string, found an object"},
      {"\"a", string, "truncated after 2 bytes: expected the end of a string"},
      {"\"\x01\"", string, "not JSON at byte 1: expected a character (UTF-8), found \"?\""},
      {"", object, "truncated after 0 bytes: expected an object"},
      {"{\"a\":1,}", object, "not JSON at byte 7: expected a key in quotes, found \"}\""},
      {"{\"a\" 1}", object, "/a: not JSON at byte 5: expected ':', found \"1\""},
      {"{\"a\":1,\"\\u0061\":2}", object, "/a: duplicate key; keep one of them"},
      {"{\"a/b~\":[1,x]}", object, "/a~1b~0/1: not JSON at byte 11: expected a value, found \"x\""},
  };
  for (const Row& row : rows) {
    const std::string message = error_of(row.text, row.read);
    EXPECT_TRUE(message.ends_with(row.message)) << row.text << "\n" << message;
  }
}

TEST(JsonReader, FindsADuplicateKeyAmongMany) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text.append("\"").append(std::to_string(i)).append("\":0,");
  EXPECT_TRUE(accepts(text + "\"x\":0}"));
  EXPECT_FALSE(accepts(text + "\"7\":0}"));
  EXPECT_FALSE(accepts(text + "\"999\":0}"));
}

TEST(JsonReader, RefusesToGoTooDeep) {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
  };
  EXPECT_TRUE(accepts(nested(max_json_depth)));
  EXPECT_FALSE(accepts(nested(max_json_depth + 1)));
  const std::string message = error_of(std::string(1'000'000, '['), [](JsonReader& reader) { reader.skip(); });
  EXPECT_NE(message.find("nested deeper than the limit of 64 levels"), std::string::npos) << message;
}

TEST(JsonReader, RefusesTooManyElements) {
  std::string text = "[0";
  for (std::int64_t i = 1; i < max_json_elements; ++i) text += ",0";
  EXPECT_TRUE(accepts(text + "]"));
  const std::string message = error_of(text + ",0]", [](JsonReader& reader) { reader.skip(); });
  EXPECT_NE(message.find("/1000000: more than 1000000 elements in one array"), std::string::npos) << message;
}

TEST(JsonReader, RefusesTooManyMembers) {
  std::string text = "{\"0\":0";
  for (std::int64_t i = 1; i < max_json_elements; ++i) text.append(",\"").append(std::to_string(i)).append("\":0");
  EXPECT_TRUE(accepts(text + "}"));
  EXPECT_FALSE(accepts(text + ",\"x\":0}"));
}

TEST(JsonReader, TheFirstFailureSticks) {
  JsonReader reader("[1,\"a\",2]", "text");
  std::vector<double> values;
  reader.array([&](std::int64_t) { values.push_back(reader.number()); });
  EXPECT_EQ(values, (std::vector<double>{1, 0}));
  const std::string first = reader.error().message;
  reader.fail("something else");
  reader.string();
  EXPECT_EQ(reader.error().message, first);
}

TEST(ShownText, IsShortAndHarmless) {
  EXPECT_EQ(base::in_quotes("a\nb\x1B[31m\x7F"), "\"a?b?[31m?\"");
  EXPECT_EQ(base::in_quotes("\xFF\xC3"), "\"??\"");
  EXPECT_EQ(base::in_quotes("\u00e9"), "\"\u00e9\"");
  EXPECT_EQ(base::shown(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(base::shown(std::string(59, 'x') + "\u00e9"), std::string(59, 'x') + "...");  // not half a character
  EXPECT_EQ(base::shown_pointer_token("a/b~c"), "a~1b~0c");
}

}  // namespace
}  // namespace torchgate::json
