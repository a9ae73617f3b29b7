// SPDX-License-Identifier: Apache-2.0
#include "harness/import/pytest_parameters.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/limits.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;

constexpr std::size_t whole = std::numeric_limits<std::size_t>::max();

// pytest-benchmark writes "UNSERIALIZABLE[repr]" of an object, and many a repr has the address of the object: another one in each process.
bool has_address(std::string_view value) {
  return value.starts_with("UNSERIALIZABLE[") && value.find(" at 0x") != std::string_view::npos;
}

// A list or an object as one line, however the file is indented. An object with an address is the same one in each process, and what stands beside it
// may be another one. Behind LONGEST bytes it is read and not kept.
void append_value(JsonReader& reader, std::size_t longest, std::string& text) {
  const auto append = [&](std::string_view part) {
    if (text.size() <= longest) text += part;
  };
  bool first = true;
  switch (reader.peek()) {
    case JsonReader::Kind::array:
      append("[");
      reader.array([&](std::int64_t index) {
        if (index > 0) append(",");
        append_value(reader, longest, text);
      });
      return append("]");
    case JsonReader::Kind::object:
      append("{");
      reader.object({}, [&](std::string_view key) {
        append(fmt::format("{}\"{}\":", std::exchange(first, false) ? "" : ",", key));
        append_value(reader, longest, text);
      });
      return append("}");
    case JsonReader::Kind::string: {
      const std::string value = reader.string(whole);
      return append(has_address(value) ? std::string("UNSERIALIZABLE") : fmt::format("\"{}\"", value));
    }
    default:
      append(reader.skip());
  }
}

}  // namespace

void read_pytest_parameters(JsonReader& reader, std::vector<record::Parameter>& parameters) {
  if (reader.peek() != JsonReader::Kind::object) {
    reader.skip();
    return;
  }
  reader.object({}, [&](std::string_view key) {
    if (std::ssize(parameters) == base::max_parameters) return reader.fail("too many parameters");
    using Kind = JsonReader::Kind;
    std::string value;
    if (reader.peek() == Kind::string)
      value = reader.string(whole);
    else
      append_value(reader, base::max_name_bytes, value);
    if (value.size() <= base::max_name_bytes && !has_address(value))
      parameters.push_back({std::string(key), std::move(value)});
  });
}

}  // namespace torchgate::import
