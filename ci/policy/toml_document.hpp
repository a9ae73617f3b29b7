// SPDX-License-Identifier: Apache-2.0
// A TOML text as a plain tree, with the line of everything in it. toml_document.cpp is the one file that includes toml++.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::policy {

struct TomlNode {
  enum class Kind { boolean, number, text, date, list, table, other };  // other: times of day

  Kind kind = Kind::other;
  std::string key;  ///< of a member of a table
  bool flag = false;
  double number = 0;
  std::string text;
  std::chrono::year_month_day date;
  std::vector<TomlNode> children;  ///< of a list in its order, of a table sorted by key
  std::int64_t line = 0;

  /// A member of a table; nullptr when there is none.
  [[nodiscard]] const TomlNode* find(std::string_view member) const;
};

/// The document as a table. bad_input: "WHERE:LINE: what is wrong", or what there is too much of (toml_limits.hpp).
base::Result<TomlNode> parse_toml(std::string_view text, const std::string& where);

}  // namespace torchgate::policy
