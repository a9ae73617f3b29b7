// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/present.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "ci/cli/inert_stream.hpp"
#include "ci/github/comment/last_report.hpp"
#include "harness/base/abandoned_files.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/named_output.hpp"

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

template <class Model>
base::Result<const reports::FormatOf<Model>*> format_named(std::string_view name, std::string_view option) {
  if (const auto* known = reports::find_format<Model>(name)) return known;
  std::string names;
  for (const auto& each : reports::formats_of<Model>())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  return base::Error{base::ErrorCode::bad_input,
                     fmt::format("{}: unknown format \"{}\"; use one of: {}", option, name, names)};
}

template <class Model>
using FormatAndFile = std::pair<const reports::FormatOf<Model>*, std::string>;

template <class Model>
base::Result<std::vector<FormatAndFile<Model>>> files_of(const ShowFlags& flags) {
  std::vector<FormatAndFile<Model>> files;
  std::set<std::filesystem::path> targets;
  std::error_code ignored;
  for (const std::string& written : flags.write) {
    const std::size_t equals = written.find('=');
    if (equals == std::string::npos || equals + 1 == written.size())
      return base::Error{
          base::ErrorCode::bad_input,
          fmt::format("--write: invalid value \"{}\"; use FORMAT=FILE, such as html=report.html", written)};
    const auto format = format_named<Model>(std::string_view(written).substr(0, equals), "--write");
    if (!format) return format.error();
    std::string file = written.substr(equals + 1);
    if (file == "-") {
      return base::Error{
          base::ErrorCode::bad_input,
          fmt::format("--write {}: not a file; --format {} writes to standard output", written, (*format)->name)};
    }
    const auto target = base::output_file(file);
    if (!target) {
      return base::Error{target.error().code, fmt::format("{} (--format {} writes to standard output)",
                                                          target.error().message, (*format)->name)};
    }
    if (!targets.insert(std::filesystem::weakly_canonical(std::filesystem::absolute(*target, ignored), ignored))
             .second) {
      return base::Error{base::ErrorCode::bad_input,
                         fmt::format("{}: named for two formats; name a file for each", file)};
    }
    files.emplace_back(*format, target->string());
  }
  return files;
}

}  // namespace

template <class Model>
base::Result<void> check_show_flags(const ShowFlags& flags) {
  constexpr std::int64_t small_report_bytes = 4096;
  if (const auto format = format_named<Model>(flags.format, "--format"); !format) return format.error();
  const auto files = files_of<Model>(flags);
  if (!files) return files.error();
  for (const auto& each : *files) {
    if (auto writable = base::check_writable(each.second, small_report_bytes); !writable) return writable;
  }
  return {};
}

// What the files asked for leave out, unless one of them has just that.
template <class Model>
void say_what_is_left_out(const Model& model, std::vector<const reports::FormatOf<Model>*> formats,
                          const Console& console) {
  std::set<std::string> said;
  for (const auto* const each : formats) {
    if (each->cases_left_out == nullptr) continue;
    const std::string sentence = each->cases_left_out(model);
    if (!sentence.empty() && said.insert(sentence).second) console.warn(sentence);
  }
  for (const auto* const each : formats) {
    if (each->left_out == nullptr) continue;
    const bool elsewhere =
        std::any_of(formats.begin(), formats.end(), [&](const auto* other) { return other->name == each->complement; });
    if (elsewhere) continue;
    if (const std::string sentence = each->left_out(model); !sentence.empty()) console.warn(sentence);
  }
}

template <class Model>
base::Result<void> show(const Model& model, const ShowFlags& flags, const Console& console) {
  const auto format = format_named<Model>(flags.format, "--format");
  if (!format) return format.error();
  const auto files = files_of<Model>(flags);
  if (!files) return files.error();
  std::vector<const reports::FormatOf<Model>*> formats;
  if (!flags.quiet) formats.push_back(*format);
  for (const auto& each : *files) formats.push_back(each.first);
  say_what_is_left_out(model, std::move(formats), console);
  reports::RenderOptions for_files = options_for(console, flags.verbose);
  for_files.terminal.color = false;
  // The texts of a large report take about as long as each other, and none needs another.
  std::vector<std::future<base::Result<void>>> written;
  for (const auto& each : *files) {
    written.push_back(std::async(std::launch::async, [&model, &for_files, &each] {
      return base::write_file_atomically(each.second, each.first->render(model, for_files), true);
    }));
  }
  if (!flags.quiet) {
    const std::string text = (*format)->render(model, options_for(console, flags.verbose));
    if ((*format)->reader == reports::Reader::ci_log) {
      write_verbatim(console.out, text);
    } else {
      write_rendered(console.out, text);
    }
    console.out.flush();
  }
  base::Result<void> all;
  for (auto& each : written) {
    if (base::Result<void> one = each.get(); !one && all) all = one;
  }
  return all;
}

template base::Result<void> check_show_flags<reports::Report>(const ShowFlags&);
template base::Result<void> check_show_flags<reports::Matrix>(const ShowFlags&);
template base::Result<void> check_show_flags<reports::History>(const ShowFlags&);
template base::Result<void> check_show_flags<reports::Explanation>(const ShowFlags&);
template base::Result<void> check_show_flags<record::Calibration>(const ShowFlags&);
template base::Result<void> check_show_flags<reports::DoctorReport>(const ShowFlags&);
template base::Result<void> check_show_flags<reports::ModelAdvice>(const ShowFlags&);
template base::Result<void> show(const reports::Report&, const ShowFlags&, const Console&);
template base::Result<void> show(const reports::Matrix&, const ShowFlags&, const Console&);
template base::Result<void> show(const reports::History&, const ShowFlags&, const Console&);
template base::Result<void> show(const reports::Explanation&, const ShowFlags&, const Console&);
template base::Result<void> show(const record::Calibration&, const ShowFlags&, const Console&);
template base::Result<void> show(const reports::DoctorReport&, const ShowFlags&, const Console&);
template base::Result<void> show(const reports::ModelAdvice&, const ShowFlags&, const Console&);

bool wants_page(const ShowFlags& flags) {
  return flags.format == "html" || std::any_of(flags.write.begin(), flags.write.end(),
                                               [](const std::string& one) { return one.starts_with("html="); });
}

void keep_for_accept(const reports::Report& report, const Console& console) {
  if (const auto kept = github::keep_last_report(report); !kept) console.warn(kept.error().message);
}

void keep_where_accept_may_follow(const reports::Report& report, const Console& console) {
  const bool matters = std::any_of(report.findings.begin(), report.findings.end(), [](const reports::Finding& finding) {
    return finding.action <= reports::GateAction::warn;
  });
  std::error_code ignored;
  if (matters || std::filesystem::exists(github::last_report_file, ignored)) keep_for_accept(report, console);
}

ExitCode present(const reports::Report& report, const ShowFlags& flags, const Console& console) {
  const auto shown = show(report, flags, console);
  return shown ? exit_code(report.outcome) : console.fail(shown.error());
}

}  // namespace torchgate::cli
