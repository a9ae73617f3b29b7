// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/command_page.hpp"

#include <algorithm>
#include <array>

namespace torchgate::cli {

std::string usage(const CommandPage& page) {
  std::string text = std::string("torchgate ") + page.row->name;
  for (const OptionPage& option : page.options) {
    if (!option.is_argument || option.hidden) continue;
    const std::string name = option.names.front() + (option.repeats ? "..." : "");
    text += option.required ? ' ' + name : " [" + name + ']';
  }
  for (const OptionPage& option : page.options) {
    if (!option.is_argument && option.required) text += ' ' + option.names.front() + ' ' + option.value;
  }
  const bool any_else = std::any_of(page.options.begin(), page.options.end(), [](const OptionPage& option) {
    return !option.is_argument && !option.required && !option.hidden;
  });
  if (page.row->define == nullptr) text += " COMMAND";
  return any_else ? text + " [OPTION]..." : text;
}

ValueKind value_kind(std::string_view value) {
  constexpr std::array folders{"DIR", "DIR|URL"};
  constexpr std::array files{"FILE", "FILE.zip", "PATH", "PATH|COMMIT"};
  constexpr std::array runs{"RUN", "BEFORE", "AFTER", "MORE", "OTHER"};
  const auto any_of = [value](const auto& names) {
    return std::any_of(names.begin(), names.end(), [value](const char* name) { return value == name; });
  };
  if (any_of(folders)) return ValueKind::folder;
  if (any_of(files)) return ValueKind::file;
  return any_of(runs) ? ValueKind::run : ValueKind::other;
}

const CommandPage* find_page(const CommandPages& pages, std::string_view name) {
  const auto found = std::find_if(pages.commands.begin(), pages.commands.end(),
                                  [name](const CommandPage& page) { return page.name() == name; });
  return found == pages.commands.end() ? nullptr : &*found;
}

std::vector<const CommandPage*> pages_below(const CommandPages& pages, const CommandPage& page) {
  const std::string beginning = std::string(page.name()) + ' ';
  std::vector<const CommandPage*> below;
  for (const CommandPage& each : pages.commands) {
    if (each.name().starts_with(beginning)) below.push_back(&each);
  }
  return below;
}

}  // namespace torchgate::cli
