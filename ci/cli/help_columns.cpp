// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/help_columns.hpp"

#include <algorithm>

#include "reports/columns.hpp"

namespace torchgate::cli {

std::size_t help_width(std::size_t terminal_width) {
  constexpr std::size_t least = 60;
  constexpr std::size_t most = 100;  // longer lines are hard to read
  return std::clamp(terminal_width, least, most);
}

std::string entry(std::string_view name, std::string_view text, std::size_t name_width, std::size_t width) {
  constexpr std::size_t indent = 2;
  constexpr std::size_t gap = 2;
  const std::string margin(indent + name_width + gap, ' ');
  std::string out = std::string(indent, ' ') + std::string(name);
  bool beside = name.size() <= name_width;
  if (beside) out += std::string(name_width + gap - name.size(), ' ');
  for (const std::string& line : reports::wrap(text, width - margin.size())) {
    out += beside ? line : '\n' + margin + line;
    beside = false;
  }
  return out + '\n';
}

std::string paragraph(std::string_view text, std::size_t width) {
  std::string out;
  for (const std::string& line : reports::wrap(text, width)) out += line + '\n';
  return out;
}

}  // namespace torchgate::cli
