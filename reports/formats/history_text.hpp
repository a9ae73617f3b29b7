// SPDX-License-Identifier: Apache-2.0
// The history of a case for a person at a terminal: what changed and where, a plot, the runs.
#pragma once

#include <cstddef>
#include <string>

#include "reports/history.hpp"

namespace torchgate::reports {

struct HistoryTextOptions {
  std::size_t width = 80;  ///< columns; no line is longer (below 60 it is taken as 60)
  bool verbose = false;    ///< list every run, not only the newest ones
  bool unicode = true;     ///< false: plain ASCII
};

std::string render_history_text(const History& history, const HistoryTextOptions& options = {});

}  // namespace torchgate::reports
