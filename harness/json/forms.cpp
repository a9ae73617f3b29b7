// SPDX-License-Identifier: Apache-2.0
#include "harness/json/forms.hpp"

#include <algorithm>

#include "harness/base/hexadecimal.hpp"

namespace torchgate::json {
namespace {

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

std::string some_name(JsonReader& reader) {
  std::string name = reader.name();
  if (name.empty()) reader.fail("expected a name, found an empty string");
  return name;
}

std::string timestamp(JsonReader& reader) {
  std::string text = reader.string();
  if (!is_timestamp(text))
    reader.fail("expected a time such as 2026-01-31T23:59:59.999Z, found " + base::in_quotes(text));
  return text;
}

std::string sha256(JsonReader& reader) {
  std::string text = reader.string();
  if (text.size() != 64 || !base::is_lower_hex(text))
    reader.fail("expected a SHA-256 of 64 lower-case hex digits, found " + base::in_quotes(text));
  return text;
}

std::string hex(JsonReader& reader) {
  std::string text = reader.string();
  if (text.size() > 64 || !base::is_lower_hex(text))
    reader.fail("expected 1 to 64 lower-case hex digits, found " + base::in_quotes(text));
  return text;
}

std::string run_id(JsonReader& reader) {
  std::string text = reader.string();
  if (text.size() != 16 || !base::is_lower_hex(text))
    reader.fail("expected 16 lower-case hex digits, found " + base::in_quotes(text));
  return text;
}

double above_0(JsonReader& reader) {
  const double value = reader.number();
  if (!reader.failed() && value <= 0) reader.fail("expected a number above 0");
  return value;
}

double at_least_0(JsonReader& reader) {
  const double value = reader.number();
  if (value < 0) reader.fail("expected a number of at least 0");
  return value;
}

}  // namespace torchgate::json
