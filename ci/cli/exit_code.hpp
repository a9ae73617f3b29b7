// SPDX-License-Identifier: Apache-2.0
// What the program's exit code says. Only main() turns it into a number.
#pragma once

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

}  // namespace torchgate::cli
