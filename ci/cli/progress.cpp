// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/progress.hpp"

#include <fmt/format.h>

#include "ci/cli/inert_stream.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/counted.hpp"
#include "reports/columns.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

using workflow::duration_text;

constexpr const char* erase_line = "\r\033[K";
// A name of which less can be seen says nothing.
constexpr std::size_t fewest_columns_of_a_name = 8;

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

/// Of pairs that end when they are decided. Before the first round has ended only the most is known.
std::string rounds_words(const launch::RoundsSoFar& rounds, const launch::Progress& progress, bool unicode) {
  const char* const between = unicode ? " · " : ", ";
  std::string text = fmt::format("pairs  {} of {} {}{}{} of {} decided", base::grouped(rounds.pairs),
                                 unicode ? "≤" : "<=", base::grouped(rounds.most_pairs), between,
                                 base::grouped(rounds.decided), base::grouped(rounds.cases));
  if (progress.left) {
    text +=
        fmt::format("{}{} {} left", between, rounds.spent_s > 0 ? "about" : "at most", duration_text(*progress.left));
  }
  return text;
}

}  // namespace

std::string progress_words(std::int64_t at, const launch::Progress& progress, bool unicode) {
  if (progress.rounds) return rounds_words(*progress.rounds, progress, unicode);
  return place(at, progress) + left_text(progress);
}

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
  for (const record::Process& lost : forecast.failed)
    line(fmt::format("  {}: {}", what(lost), reports::joined_lines(lost.message)));
  for (const std::string& warning : forecast.warnings) line("  " + warning);
}

void ProgressLine::on_process_started(const record::Process& process, const launch::Progress& progress) {
  if (!console_.err_is_terminal) return;
  // What is measured now comes last: on a narrow terminal it gives way.
  const std::size_t room = console_.width - 1;
  std::string text = reports::elide_middle(progress_words(progress.done + 1, progress, console_.unicode), room, "...");
  const std::size_t used = reports::display_width(text) + 2;
  if (room > used + fewest_columns_of_a_name)
    text += "  " + reports::elide_middle(reports::one_line(what(process)), room - used, "...");
  write_rendered(console_.err, erase_line);
  console_.err << reports::one_line(text) << std::flush;
  shown_ = true;
}

void ProgressLine::on_process_finished(const record::Process& process, const launch::Progress& progress) {
  // A group that was given up has as many of these as processes were planned: each reason is said once.
  const bool known =
      process.status == record::ProcessStatus::not_started && !not_started_.insert(process.message).second;
  if (process.status != record::ProcessStatus::ok && !known) {
    line(fmt::format("{} {}: {}", place(progress.done, progress), what(process),
                     reports::joined_lines(process.message)));
  }
  for (const record::CaseResult& result : process.cases) {
    if (result.status == record::CaseStatus::failed)
      line(fmt::format("  {} failed: {}", result.name, result.message.text()));
    if (result.status == record::CaseStatus::wrong)
      line(fmt::format("  {} is wrong: {}", result.name, result.message.text()));
  }
  if (!console_.err_is_terminal) log(progress);
}

/// By tenths where the end is known, else by the clock; never more often than every ten seconds but for the last line.
void ProgressLine::log(const launch::Progress& progress) {
  constexpr std::int64_t parts = 10;
  constexpr std::chrono::seconds between{10};
  const bool ended = progress.total > 0 && progress.done >= progress.total;
  const std::int64_t tenth = progress.total > 0 ? progress.done * parts / progress.total : logged_tenth_ + 1;
  if (tenth == logged_tenth_ || (progress.elapsed < next_log_ && !ended)) return;
  logged_tenth_ = tenth;
  next_log_ = progress.elapsed + between;
  if (progress.rounds) return line(progress_words(progress.done, progress, console_.unicode));
  line(fmt::format("{} {}{}", place(progress.done, progress), duration_text(progress.elapsed),
                   ended ? "" : left_text(progress)));
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
