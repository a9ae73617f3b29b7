// SPDX-License-Identifier: Apache-2.0
// What the program's exit code says, and the one table of what each means. Only main() turns it into a number.
#pragma once

#include <span>
#include <string>

#include "harness/base/result.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

enum class ExitCode {
  ok = 0,            ///< no regression; the command did what it was asked to
  failed = 1,        ///< something fails the policy
  error = 2,         ///< usage, bad input, internal error
  no_verdict = 3,    ///< nothing judged, no baseline, hosts differ
  interrupted = 130  ///< the shell's own convention for Ctrl-C
};

ExitCode exit_code(reports::Outcome outcome);
ExitCode exit_code(base::ErrorCode code);

/// What help, the manual page and the README say of a code.
struct ExitCodeRow {
  ExitCode code;
  const char* meaning;
  const char* examples;  ///< of what leads to it; empty: the meaning says it
  const char* next;      ///< what the calling program does
};

/// All codes, in the order of their numbers.
std::span<const ExitCodeRow> exit_code_rows();

/// "Exit codes: 0 no regression; 1 ..." in one sentence.
std::string exit_codes_sentence();

}  // namespace torchgate::cli
