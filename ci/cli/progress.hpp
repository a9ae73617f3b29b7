// SPDX-License-Identifier: Apache-2.0
// How a run goes on: one line that is rewritten on a terminal; in a log a line per lost process and for a tenth of the run, or when
// pairs have gone on, at most every ten seconds. And what a use case says meanwhile.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "ci/cli/console.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::cli {

/// "pairs  23 of ≤ 48 · 31 of 39 decided · about 40 s left" of pairs that are chosen from round to round, else "[3/40], 20 s left".
std::string progress_words(std::int64_t at, const launch::Progress& progress, bool unicode);

class ProgressLine final : public launch::Observer {
 public:
  explicit ProgressLine(const Console& console) : console_(console) {}
  ~ProgressLine() override { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void on_plan(const launch::Forecast& forecast) override;
  void on_process_started(const record::Process& process, const launch::Progress& progress) override;
  void on_process_finished(const record::Process& process, const launch::Progress& progress) override;
  void on_note(const std::string& note) override;

 private:
  void clear();
  void line(const std::string& text);
  void log(const launch::Progress& progress);

  const Console& console_;
  bool shown_ = false;
  std::int64_t logged_tenth_ = 0;
  std::chrono::nanoseconds next_log_{std::chrono::seconds(10)};
  std::set<std::string> not_started_;  // reasons
};

/// Notes, warnings and progress on err, each on a line of its own.
class ConsoleNarrator final : public workflow::Narrator {
 public:
  /// CONSOLE must outlive it, and what progress() returned.
  explicit ConsoleNarrator(const Console& console) : console_(console) {}

  void note(const std::string& line) override;
  void warning(const std::string& sentence) override { console_.warn(sentence); }
  [[nodiscard]] std::unique_ptr<launch::Observer> progress() override;

 private:
  const Console& console_;
};

}  // namespace torchgate::cli
