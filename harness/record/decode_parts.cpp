// SPDX-License-Identifier: Apache-2.0
// The small things that many parts of a record consist of.
#include <algorithm>

#include "harness/record/internal/codec_parts.hpp"

namespace torchgate::record::internal {
namespace {

bool is_lower_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_timestamp(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd.dddZ";
  if (text.size() != shape.size()) return false;
  const auto matches = [](char c, char pattern) { return pattern == 'd' ? c >= '0' && c <= '9' : c == pattern; };
  if (!std::equal(text.begin(), text.end(), shape.begin(), matches)) return false;
  const auto in = [&](std::size_t position, std::string_view least, std::string_view most) {
    const std::string_view digits = text.substr(position, 2);
    return digits >= least && digits <= most;
  };
  // 60: a leap second.
  return in(5, "01", "12") && in(8, "01", "31") && in(11, "00", "23") && in(14, "00", "59") && in(17, "00", "60");
}

}  // namespace

std::vector<std::string> read_strings(json::JsonReader& reader, std::int64_t most) {
  std::vector<std::string> strings;
  reader.array(most, [&](std::int64_t) { strings.push_back(reader.name()); });
  return strings;
}

std::string read_timestamp(json::JsonReader& reader) {
  std::string text = reader.string();
  if (!is_timestamp(text))
    reader.fail("expected a time such as 2026-01-31T23:59:59.999Z, found " + base::in_quotes(text));
  return text;
}

std::string read_sha256(json::JsonReader& reader) {
  std::string text = reader.string();
  if (text.size() != 64 || !is_lower_hex(text)) {
    reader.fail("expected a SHA-256 of 64 lower-case hex digits, found " + base::in_quotes(text));
  }
  return text;
}

std::string read_hex(json::JsonReader& reader) {
  std::string text = reader.string();
  if (text.empty() || text.size() > 64 || !is_lower_hex(text)) {
    reader.fail("expected 1 to 64 lower-case hex digits, found " + base::in_quotes(text));
  }
  return text;
}

std::string read_folder_name(json::JsonReader& reader) {
  constexpr std::size_t longest = 128;
  std::string text = reader.string();
  const bool safe = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
  if (!safe || text.size() > longest || text.starts_with('.')) {
    reader.fail("expected at most 128 letters, digits, '.', '_' and '-', not starting with '.', found " +
                base::in_quotes(text));
  }
  return text;
}

std::vector<Parameter> read_parameters(json::JsonReader& reader) {
  std::vector<Parameter> parameters;
  reader.object({}, [&](std::string_view name) {
    if (name.size() > base::max_name_bytes)
      reader.fail("a key of more than " + std::to_string(base::max_name_bytes) + " bytes");
    if (parameters.size() == static_cast<std::size_t>(base::max_parameters))
      reader.fail("more than " + std::to_string(base::max_parameters) + " members, which is the limit of this object");
    parameters.push_back({std::string(name), reader.string()});
  });
  return parameters;
}

}  // namespace torchgate::record::internal
