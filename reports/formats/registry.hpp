// SPDX-License-Identifier: Apache-2.0
// The formats there are. To add one: a file with its render function, and one row in registry.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/formats/markdown.hpp"
#include "reports/formats/terminal.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

struct RenderOptions {
  TerminalOptions terminal;
  MarkdownOptions markdown;
};

struct ReportFormat {
  std::string_view name;         ///< what `--format` takes
  std::string_view description;  ///< one line of help
  std::string_view extension;    ///< of a file in this format, with its dot
  std::string (*render)(const Report&, const RenderOptions&);
};

/// In the order of the help text.
std::span<const ReportFormat> report_formats();
/// nullptr when there is none of that name.
const ReportFormat* find_report_format(std::string_view name);

}  // namespace torchgate::reports
