// SPDX-License-Identifier: Apache-2.0
// The report for a person at a terminal or in a log: the verdict, what makes it doubtful, what matters, what to do next.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

struct TerminalOptions {
  std::size_t width = 100;  ///< columns; no line is longer (below 60 it is taken as 60)
  bool color = false;       ///< ANSI colours; they repeat what the words say
  bool verbose = false;     ///< name and number every case, also those within the margin
  bool unicode = true;      ///< false: plain ASCII
};

/// Rows are never wrapped: a name that is too long loses its middle. Sentences are wrapped between words.
std::string render_terminal(const Report& report, const TerminalOptions& options = {});

}  // namespace torchgate::reports
