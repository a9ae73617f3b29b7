// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/registry.hpp"

#include <algorithm>
#include <array>

#include "reports/formats/json.hpp"

namespace torchgate::reports {
namespace {

constexpr std::array<ReportFormat, 3> formats = {{
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const Report& report, const RenderOptions& options) { return render_terminal(report, options.terminal); }},
    {"markdown", "GitHub Markdown for a pull-request comment or a job summary, within 60,000 bytes", ".md",
     [](const Report& report, const RenderOptions& options) { return render_markdown(report, options.markdown); }},
    {"json", "all numbers as JSON (schema torchgate.report/1)", ".json",
     [](const Report& report, const RenderOptions&) { return render_json(report); }},
}};

}  // namespace

std::span<const ReportFormat> report_formats() {
  return formats;
}

const ReportFormat* find_report_format(std::string_view name) {
  const auto* found =
      std::find_if(formats.begin(), formats.end(), [&](const ReportFormat& f) { return f.name == name; });
  return found == formats.end() ? nullptr : found;
}

}  // namespace torchgate::reports
