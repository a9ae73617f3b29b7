// SPDX-License-Identifier: Apache-2.0
// A command that a message proposes can be copied into a shell.
#pragma once

#include <string>
#include <string_view>

namespace torchgate::base {

/// TEXT as one word of a shell: in quotes where it has a character that is special to one.
inline std::string for_a_shell(std::string_view text) {
  constexpr std::string_view safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@";
  if (!text.empty() && text.find_first_not_of(safe) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// OPTION ("--save") with its VALUE. One that begins with a dash would be taken for an option itself: "--save=-x".
inline std::string option_for_a_shell(std::string_view option, std::string_view value) {
  return std::string(option) + (value.starts_with('-') ? "=" : " ") + for_a_shell(value);
}

}  // namespace torchgate::base
