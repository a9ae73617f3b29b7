// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/progress.hpp"

#include <fmt/format.h>

#include "ci/cli/inert_stream.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/counted.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

using workflow::duration_text;

constexpr const char* erase_line = "\r\033[K";

std::string what(const record::Process& process) {
  return process.group.empty() ? process.suite : process.group;
}

// "[3/40]"; "[3]" where it is chosen from round to round what is measured.
std::string place(std::int64_t at, const launch::Progress& progress) {
  return progress.total > 0 ? fmt::format("[{}/{}]", at, progress.total) : fmt::format("[{}]", at);
}

std::string left_text(const launch::Progress& progress) {
  if (!progress.left) return "";
  return fmt::format(", {}{} left", progress.total > 0 ? "" : "at most ", duration_text(*progress.left));
}

}  // namespace

void ProgressLine::clear() {
  if (!shown_) return;
  write_rendered(console_.err, erase_line);
  console_.err.flush();
  shown_ = false;
}

void ProgressLine::line(const std::string& text) {
  clear();
  console_.err << reports::one_line(text) << std::endl;
}

void ProgressLine::on_plan(const launch::Forecast& forecast) {
  std::string text = fmt::format("measuring {} of {}", base::counted(forecast.cases.size(), "case", "cases"),
                                 base::counted(forecast.groups.size(), "group", "groups"));
  const char* const most = forecast.at_most ? "at most " : "";
  if (forecast.processes > 0)
    text += fmt::format(" in {}{}", most, base::counted(forecast.processes, "process", "processes"));
  if (forecast.seconds) {
    text += fmt::format(", {}about {}", most,
                        duration_text(std::chrono::seconds(static_cast<std::int64_t>(*forecast.seconds))));
  }
  if (!forecast.groups.empty()) line(text);
  if (forecast.count) line((forecast.count->counter.empty() ? "  " : "  then ") + launch::words_of(*forecast.count));
  for (const record::Process& lost : forecast.failed) line(fmt::format("  {}: {}", what(lost), lost.message));
  for (const std::string& warning : forecast.warnings) line("  " + warning);
}

void ProgressLine::on_process_started(const record::Process& process, const launch::Progress& progress) {
  if (!console_.err_is_terminal) return;
  std::string text = place(progress.done + 1, progress) + " " + what(process);
  text += left_text(progress);
  write_rendered(console_.err, erase_line);
  console_.err << reports::one_line(text.substr(0, console_.width - 1)) << std::flush;
  shown_ = true;
}

void ProgressLine::on_process_finished(const record::Process& process, const launch::Progress& progress) {
  // A group that was given up has as many of these as processes were planned: each reason is said once.
  const bool known =
      process.status == record::ProcessStatus::not_started && !not_started_.insert(process.message).second;
  if (process.status != record::ProcessStatus::ok && !known) {
    line(fmt::format("{} {}: {}", place(progress.done, progress), what(process), process.message));
  }
  for (const record::CaseResult& result : process.cases) {
    if (result.status == record::CaseStatus::failed) line(fmt::format("  {} failed: {}", result.name, result.message));
    if (result.status == record::CaseStatus::wrong) line(fmt::format("  {} is wrong: {}", result.name, result.message));
  }
  if (console_.err_is_terminal) return;
  if (progress.total <= 0) return log_open_end(progress);
  constexpr std::int64_t parts = 10;
  const std::int64_t tenth = progress.done * parts / progress.total;
  if (tenth == logged_tenth_) return;
  logged_tenth_ = tenth;
  std::string text = fmt::format("[{}/{}] {}", progress.done, progress.total, duration_text(progress.elapsed));
  if (progress.done < progress.total) text += left_text(progress);
  line(text);
}

// A run without a known end: by the clock.
void ProgressLine::log_open_end(const launch::Progress& progress) {
  constexpr std::chrono::seconds between{30};
  if (progress.elapsed < next_log_) return;
  next_log_ = progress.elapsed + between;
  line(fmt::format("{} {}{}", place(progress.done, progress), duration_text(progress.elapsed), left_text(progress)));
}

void ProgressLine::on_note(const std::string& note) {
  line(note);
}

void ConsoleNarrator::note(const std::string& line) {
  console_.err << reports::one_line(line) << std::endl;
}

std::unique_ptr<launch::Observer> ConsoleNarrator::progress() {
  return std::make_unique<ProgressLine>(console_);
}

}  // namespace torchgate::cli
