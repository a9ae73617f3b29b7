// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/present.hpp"

#include <fmt/format.h>

#include <future>

#include "ci/cli/inert_stream.hpp"
#include "harness/base/abandoned_files.hpp"
#include "harness/base/atomic_file.hpp"
#include "reports/formats/json.hpp"
#include "reports/formats/registry.hpp"

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

base::Result<void> check_writable(const ShowFlags& flags) {
  constexpr std::int64_t small_report_bytes = 4096;
  for (const auto& file : {flags.json_file, flags.markdown_file}) {
    if (!file) continue;
    if (auto writable = base::check_writable(*file, small_report_bytes); !writable) return writable;
  }
  return {};
}

ExitCode present(const reports::Report& report, const ShowFlags& flags, const Console& console) {
  // The two texts of a large report take about as long as each other, and neither needs the other.
  std::future<base::Result<void>> json;
  if (flags.json_file) {
    json = std::async(std::launch::async, [&] {
      return base::write_file_atomically(*flags.json_file, reports::render_json(report), true);
    });
  }
  if (!flags.quiet) {
    write_rendered(console.out, reports::render_terminal(report, options_for(console, flags.verbose).terminal));
    console.out.flush();
  }
  base::Result<void> markdown;
  if (flags.markdown_file)
    markdown = base::write_file_atomically(*flags.markdown_file, reports::render_markdown(report), true);
  const base::Result<void> json_written = json.valid() ? json.get() : base::Result<void>();
  if (!markdown) return console.fail(markdown.error());
  if (!json_written) return console.fail(json_written.error());
  return exit_code(report.outcome);
}

ExitCode present_as(const reports::Report& report, const std::string& format, const std::optional<std::string>& file,
                    bool verbose, const Console& console) {
  const reports::ReportFormat* known = reports::find_report_format(format);
  if (known == nullptr) {
    std::string names;
    for (const auto& each : reports::report_formats())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return console.fail(
        {base::ErrorCode::bad_input, fmt::format("unknown --format \"{}\"; use one of: {}", format, names)});
  }
  const std::string text = known->render(report, options_for(console, verbose));
  if (!file) {
    write_rendered(console.out, text);
    console.out.flush();
    return ExitCode::ok;
  }
  const auto written = base::write_file_atomically(*file, text, true);
  return written ? ExitCode::ok : console.fail(written.error());
}

}  // namespace torchgate::cli
