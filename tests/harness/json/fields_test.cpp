// SPDX-License-Identifier: Apache-2.0
#include "harness/json/fields.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace torchgate::json {
namespace {

struct Wheel {
  std::int64_t spokes = 0;
  std::optional<double> wear;

  bool operator==(const Wheel&) const = default;
};

struct Bicycle {
  std::string maker;
  std::vector<Wheel> wheels;
  std::string color;
  bool electric = false;
  std::optional<std::int64_t> gears;
  std::int64_t ridden_km = 0;

  bool operator==(const Bicycle&) const = default;
};

void check_wheels(JsonReader& reader, const std::vector<Wheel>& wheels) {
  if (wheels.size() == 1) reader.fail_at("0", "a single wheel");
}

void check_bicycle(JsonReader& reader, const Bicycle& bicycle, const Members& members) {
  if (bicycle.electric && !members.has("gears")) reader.fail("an electric one has gears");
}

constexpr Table wheel_fields{
    of<Wheel>,
    required("spokes", &Wheel::spokes, integer(0, 100)),
    required("wear", &Wheel::wear, number(0, 1)),
};

constexpr Table bicycle_fields{
    checked<Bicycle>(check_bicycle),
    stored_schema("torchgate.bicycle/1"),
    required("maker", &Bicycle::maker, name),
    required("wheels", &Bicycle::wheels, list_of(2, object_of<wheel_fields>, check_wheels)),
    optional("color", &Bicycle::color, text),
    optional("electric", &Bicycle::electric, flag),
    optional("gears", &Bicycle::gears, integer(1, 30)),
    always("ridden_km", &Bicycle::ridden_km, integer(0, 1000)),
};

Bicycle example() {
  return {"A", {{32, 0.5}, {36, std::nullopt}}, "", true, 8, 0};
}

constexpr const char* example_text =
    R"({"schema":"torchgate.bicycle/1","maker":"A","wheels":[{"spokes":32,"wear":0.5},{"spokes":36,"wear":null}],)"
    R"("electric":true,"gears":8,"ridden_km":0})";

std::string refusal(const std::string& from, const std::string& to) {
  std::string changed = example_text;
  changed.replace(changed.find(from), from.size(), to);
  const auto read = read_document<bicycle_fields>(changed, "x");
  return read ? "none" : read.error().message;
}

TEST(Fields, WritesInTheOrderOfTheRowsWithoutWhatIsEmpty) {
  EXPECT_EQ(write_document<bicycle_fields>(example(), record_layout), std::string(example_text) + "\n");
}

TEST(Fields, ReadsWhatItWrites) {
  const auto read = read_document<bicycle_fields>(example_text, "x");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, example());
}

TEST(Fields, AnyOrderAndUnknownKeys) {
  const auto read = read_document<bicycle_fields>(
      R"({"gears":8,"later":[1],"electric":true,"wheels":[{"wear":0.5,"spokes":32},{"wear":null,"spokes":36}],"maker":"A",)"
      R"("schema":"torchgate.bicycle/1"})",
      "x");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, example());
}

TEST(Fields, AnErrorHasItsPlace) {
  EXPECT_EQ(refusal("\"maker\":\"A\",", ""), "x: top level: missing key \"maker\"");
  EXPECT_EQ(refusal("\"maker\":\"A\"", "\"maker\":1"), "x: /maker: expected a string, found 1");
  EXPECT_EQ(refusal("36", "101"), "x: /wheels/1/spokes: expected an integer from 0 to 100, found 101");
  EXPECT_EQ(refusal(",\"wear\":null", ""), "x: /wheels/1: missing key \"wear\"");
  EXPECT_EQ(refusal(",{\"spokes\":36,\"wear\":null}", ""), "x: /wheels/0: a single wheel");
  EXPECT_EQ(refusal("}]", "},{}]"), "x: /wheels/2: more than 2 elements, which is the limit of this list");
  EXPECT_EQ(refusal("\"gears\":8,", ""), "x: top level: an electric one has gears");
  EXPECT_EQ(refusal("\"gears\"", "\"maker\""), "x: /maker: duplicate key; keep one of them");
}

TEST(Fields, TheSchemaComesFirst) {
  EXPECT_EQ(refusal("\"schema\":\"torchgate.bicycle/1\",\"maker\":\"A\"", "\"maker\":1"),
            "x: top level: missing key \"schema\": not a file written by torchgate");
  EXPECT_EQ(
      refusal("\"schema\":\"torchgate.bicycle/1\",\"maker\":\"A\"", "\"maker\":1,\"schema\":\"torchgate.bicycle/2\""),
      "x: /schema: unsupported schema \"torchgate.bicycle/2\": this version of torchgate reads torchgate.bicycle/1 "
      "only; use the version that wrote it, or a later one");
}

// --- stages: members that refer to others ----------------------------------------------------------------------------

struct Sentence {
  std::vector<std::string> words;
  std::string text;
};

// The words, as positions in a list that the sentence does not keep.
struct Dictionary {
  std::vector<std::string> entries;
};

std::string read_entry(JsonReader& reader, Dictionary& dictionary) {
  return dictionary.entries.at(static_cast<std::size_t>(reader.integer(0, 1)));
}

constexpr auto dictionary_entries = [](auto& /*sentence*/, auto& dictionary) -> auto& {
  return dictionary.entries;
};

constexpr Table sentence_fields{
    of<Sentence>,
    optional("dictionary", dictionary_entries, list_of(10, name)).referred_to(),
    required("text", &Sentence::text, text),
    required("words", &Sentence::words, list_of(10, read_entry)).at_stage(1),
};

TEST(Fields, WhatRefersToOthersIsReadAfterThem) {
  for (const char* input :
       {R"({"dictionary":["a","b"],"text":"t","words":[1,0]})", R"({"words":[1,0],"text":"t","dictionary":["a","b"]})",
        R"({"text":"t","words":[1,0],"dictionary":["a","b"]})"}) {
    JsonReader reader(input, "x");
    Sentence sentence;
    Dictionary dictionary;
    read_members<sentence_fields>(reader, sentence, dictionary);
    reader.end();
    ASSERT_FALSE(reader.failed()) << input << reader.error().message;
    EXPECT_EQ(sentence.words, (std::vector<std::string>{"b", "a"})) << input;
  }
}

TEST(Fields, WhatHasNoRowIsKeptWhereAsked) {
  JsonReader reader(R"({"later":{"a":1},"spokes":1,"x/y":[],"wear":null})", "x");
  JsonWriter unknown;
  unknown.begin_object();
  Wheel wheel;
  read_members<wheel_fields>(reader, wheel, no_context, &unknown);
  unknown.end_object();
  EXPECT_FALSE(reader.failed());
  EXPECT_EQ(unknown.take(), R"({"later":{"a":1},"x/y":[]})");
}

}  // namespace
}  // namespace torchgate::json
