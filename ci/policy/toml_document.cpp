// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/toml_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "ci/policy/toml_limits.hpp"

namespace torchgate::policy {
namespace {

std::chrono::year_month_day calendar_date(const toml::date& date) {
  return {std::chrono::year(date.year), std::chrono::month(date.month), std::chrono::day(date.day)};
}

TomlNode converted(const toml::node& node) {
  TomlNode result;
  result.line = static_cast<std::int64_t>(node.source().begin.line);
  if (node.is_boolean()) {
    result.kind = TomlNode::Kind::boolean;
    result.flag = node.as_boolean()->get();
  } else if (node.is_number()) {
    result.kind = TomlNode::Kind::number;
    // Not value<double>(): a whole number beyond 2^53 has none.
    const auto* whole = node.as_integer();
    result.number = whole != nullptr ? static_cast<double>(whole->get()) : node.as_floating_point()->get();
  } else if (node.is_string()) {
    result.kind = TomlNode::Kind::text;
    result.text = node.as_string()->get();
  } else if (node.is_date()) {
    result.kind = TomlNode::Kind::date;
    result.date = calendar_date(node.as_date()->get());
  } else if (const toml::array* array = node.as_array()) {
    result.kind = TomlNode::Kind::list;
    for (const toml::node& element : *array) result.children.push_back(converted(element));
  } else if (const toml::table* table = node.as_table()) {
    result.kind = TomlNode::Kind::table;
    for (const auto& [key, value] : *table) {
      result.children.push_back(converted(value));
      result.children.back().key = std::string(key.str());
    }
  }
  return result;
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view member) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const auto& child) { return child.key == member; });
  return found == children.end() ? nullptr : &*found;
}

base::Result<TomlNode> parse_toml(std::string_view text, const std::string& where) {
  if (auto refused = too_much_toml(text, where)) return *std::move(refused);
  try {
    return converted(toml::parse(text, where));
  } catch (const toml::parse_error& error) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("{}:{}: {}", where, error.source().begin.line, error.description())};
  }
}

}  // namespace torchgate::policy
