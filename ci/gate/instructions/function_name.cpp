// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/function_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>

namespace torchgate::gate {
namespace {

constexpr std::string_view prefix = "_Z";
constexpr std::string_view anonymous_namespace = "_GLOBAL__N_1";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// "6native" of REST, which begins with a digit: the length, then the name.
std::optional<std::string_view> take_identifier(std::string_view& rest) {
  std::size_t length = 0;
  std::size_t digits = 0;
  for (; digits < rest.size() && is_digit(rest[digits]); ++digits) {
    length = length * 10 + static_cast<std::size_t>(rest[digits] - '0');
    if (length > rest.size()) return std::nullopt;
  }
  if (length == 0 || length > rest.size() - digits) return std::nullopt;
  const std::string_view name = rest.substr(digits, length);
  rest.remove_prefix(digits + length);
  return name;
}

// What follows the identifiers of a nested name: a constructor, template arguments, or what is not understood.
std::string end_of(std::string_view rest, std::string_view last) {
  if (rest.starts_with('C')) return "::" + std::string(last);
  if (rest.starts_with("D0") || rest.starts_with("D1") || rest.starts_with("D2")) return "::~" + std::string(last);
  if (rest.starts_with('I')) return "<...>";
  return "";
}

}  // namespace

std::string readable_function_name(std::string_view name) {
  if (!name.starts_with(prefix)) return std::string(name);
  std::string_view rest = name.substr(prefix.size());
  // In another function: a lambda, or a class of its own.
  const bool local = rest.starts_with('Z');
  rest.remove_prefix(std::min(rest.find_first_not_of('Z'), rest.size()));
  const bool nested = rest.starts_with('N');
  if (nested) {
    rest.remove_prefix(1);
    while (!rest.empty() && std::string_view("KVrRO").find(rest.front()) != std::string_view::npos)
      rest.remove_prefix(1);
  }
  std::string text;
  if (rest.starts_with("St")) {
    text = "std";
    rest.remove_prefix(2);
  }
  if (rest.starts_with('L')) rest.remove_prefix(1);  // of one file only
  std::string_view last;
  while (!rest.empty() && is_digit(rest.front())) {
    const auto identifier = take_identifier(rest);
    if (!identifier) return std::string(name);
    last = *identifier;
    const bool anonymous = last.starts_with(anonymous_namespace);
    text += (text.empty() ? "" : "::") + std::string(anonymous ? "(anonymous namespace)" : last);
    if (!nested) break;
    if (rest.starts_with('L')) rest.remove_prefix(1);
  }
  return last.empty() ? std::string(name) : text + end_of(rest, last) + (local ? "::{local}" : "");
}

}  // namespace torchgate::gate
