// SPDX-License-Identifier: Apache-2.0
// How a run goes on: one line that is rewritten on a terminal, one line per lost process or tenth of the run in a log.
#pragma once

#include <set>
#include <string>

#include "ci/cli/console.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::cli {

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

  const Console& console_;
  bool shown_ = false;
  std::int64_t logged_tenth_ = 0;
  std::set<std::string> not_started_;  // reasons
};

/// "3 min 20 s", "45 s".
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace torchgate::cli
