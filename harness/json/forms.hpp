// SPDX-License-Identifier: Apache-2.0
// Forms: how a value is read and checked, and how it is written. Tables of fields (fields.hpp) consist of them.
//
// A form is a function that reads from JsonReader what JsonWriter::value() writes, or it is made by form() of a function that reads and one
// that writes. What a form needs beyond its value (a list that positions refer to) is the context, which these functions may take as their
// last argument.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/base/enum_names.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/json/json_writer.hpp"

namespace torchgate::json {

/// For structs whose members need nothing from outside.
struct NoContext {};
inline constexpr NoContext no_context;

/// Calls FUNCTION, with CONTEXT as its last argument if it takes that.
template <class Function, class Context, class... Arguments>
decltype(auto) call(const Function& function, Context& context, Arguments&&... arguments) {
  if constexpr (std::is_invocable_v<const Function&, Arguments..., Context&>) {
    return std::invoke(function, std::forward<Arguments>(arguments)..., context);
  } else {
    return std::invoke(function, std::forward<Arguments>(arguments)...);
  }
}

template <class Read, class Write>
struct Form {
  Read read;    ///< value(JsonReader& [, context])
  Write write;  ///< void(JsonWriter&, const value& [, context])
};

struct WriteValue {
  template <class T>
  void operator()(JsonWriter& json, const T& value) const {
    json.value(value);
  }
};

template <class Read, class Write = WriteValue>
constexpr Form<Read, Write> form(Read read, Write write = {}) {
  return {read, write};
}
template <class Read, class Write>
constexpr Form<Read, Write> form(Form<Read, Write> made) {
  return made;
}

// --- texts ---------------------------------------------------------------------------------------------------------

/// At most max_name_bytes.
inline std::string name(JsonReader& reader) {
  return reader.name();
}
/// Not empty.
std::string some_name(JsonReader& reader);
/// At most max_text_bytes.
inline std::string text(JsonReader& reader) {
  return reader.string();
}
/// "2026-01-31T23:59:59.999Z".
std::string timestamp(JsonReader& reader);
std::string sha256(JsonReader& reader);
/// 1 to 64 lower-case hex digits.
std::string hex(JsonReader& reader);
/// The id of a run: 16 of them.
std::string run_id(JsonReader& reader);

/// An enumeration, by its names.
template <const auto& Names>
inline constexpr auto word = form(
    [](JsonReader& reader) {
      const std::string text = reader.string();
      std::string all;
      for (const auto& [value, name] : Names) {
        if (name == text) return value;
        all += (all.empty() ? "" : ", ") + std::string(name);
      }
      reader.fail("expected one of " + all + ", found " + base::in_quotes(text));
      return Names[0].first;
    },
    [](JsonWriter& json, const auto& value) { json.value(base::name_of(Names, value)); });

// --- numbers -------------------------------------------------------------------------------------------------------

inline bool flag(JsonReader& reader) {
  return reader.boolean();
}
inline std::uint64_t unsigned_integer(JsonReader& reader) {
  return reader.unsigned_integer();
}
constexpr auto integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  return [=](JsonReader& reader) { return reader.integer(least, most); };
}
constexpr auto number(double least, double most) {
  return [=](JsonReader& reader) { return reader.number(least, most); };
}
double above_0(JsonReader& reader);
double at_least_0(JsonReader& reader);

inline constexpr auto counted = integer(0, base::max_count);
inline constexpr auto counted_from_1 = integer(1, base::max_count);
inline constexpr auto in_bytes = integer(0, base::max_bytes);
inline constexpr auto in_ns = integer(0, base::max_ns);
inline constexpr auto in_seconds = number(0, base::max_seconds);

// --- lists ---------------------------------------------------------------------------------------------------------

/// At most MOST elements; CHECK(reader, list) is called after the last.
template <class Element, class Check>
constexpr auto list_of(std::int64_t most, Element element_form, Check check) {
  return form(
      [most, each = form(element_form), check](JsonReader& reader, auto& context) {
        std::vector<std::decay_t<decltype(call(each.read, context, reader))>> elements;
        reader.array(most, [&](std::int64_t) { elements.push_back(call(each.read, context, reader)); });
        call(check, context, reader, elements);
        return elements;
      },
      [each = form(element_form)](JsonWriter& json, const auto& elements, auto& context) {
        json.begin_array();
        for (const auto& element : elements) call(each.write, context, json, element);
        json.end_array();
      });
}
template <class Element>
constexpr auto list_of(std::int64_t most, Element element_form) {
  return list_of(most, element_form, [](JsonReader&, const auto&) {});
}

/// The check of a list whose elements differ in KEY: fails at the second of two that do not. WHAT it is: "name".
template <class T>
constexpr auto all_differ(const char* what, std::string T::*key) {
  return [=](JsonReader& reader, const std::vector<T>& list) {
    std::unordered_set<std::string_view> known;
    for (std::size_t i = 0; i < list.size() && !reader.failed(); ++i) {
      if (!known.insert(list[i].*key).second)
        reader.fail_at(std::to_string(i), std::string("duplicate ") + what + " " + base::in_quotes(list[i].*key));
    }
  };
}

}  // namespace torchgate::json
