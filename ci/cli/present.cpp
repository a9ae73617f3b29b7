// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/present.hpp"

#include <fmt/format.h>

#include "harness/record/atomic_file.hpp"
#include "reports/json.hpp"
#include "reports/registry.hpp"

namespace torchgate::cli {
namespace {

reports::RenderOptions options_for(const Console& console, bool verbose) {
  reports::RenderOptions options;
  options.terminal.color = console.color;
  options.terminal.unicode = console.unicode;
  options.terminal.width = console.width;
  options.terminal.verbose = verbose;
  return options;
}

}  // namespace

ExitCode present(const reports::Report& report, const ShowFlags& flags, const Console& console) {
  if (!flags.quiet)
    console.out << reports::render_terminal(report, options_for(console, flags.verbose).terminal) << std::flush;
  if (flags.markdown_file) {
    if (auto written = record::write_file_atomically(*flags.markdown_file, reports::render_markdown(report), true);
        !written) {
      return console.fail(written.error());
    }
  }
  if (flags.json_file) {
    if (auto written = record::write_file_atomically(*flags.json_file, reports::render_json(report), true); !written) {
      return console.fail(written.error());
    }
  }
  return exit_code(report.outcome);
}

ExitCode present_as(const reports::Report& report, const std::string& format, const std::optional<std::string>& file,
                    bool verbose, const Console& console) {
  const reports::ReportFormat* known = reports::find_report_format(format);
  if (known == nullptr) {
    std::string names;
    for (const auto& each : reports::report_formats())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return console.fail({record::ErrorCode::bad_input, fmt::format("--format {}: there are {}", format, names)});
  }
  const std::string text = known->render(report, options_for(console, verbose));
  if (!file) {
    console.out << text << std::flush;
    return ExitCode::ok;
  }
  const auto written = record::write_file_atomically(*file, text, true);
  return written ? ExitCode::ok : console.fail(written.error());
}

}  // namespace torchgate::cli
