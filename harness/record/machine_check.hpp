// SPDX-License-Identifier: Apache-2.0
// The checks of the machine before and after a run (`torchgate doctor`), as they are recorded.
#pragma once

#include <string>
#include <vector>

namespace torchgate::record {

/// unknown is an answer of its own: the file is absent, the library is missing, reading it is not allowed.
enum class CheckAnswer { ok, bad, unknown };

/// What a bad answer does. fatal: every timed verdict becomes inconclusive. warning: shown in the report. info: recorded.
enum class CheckSeverity { fatal, warning, info };

/// One row of the doctor's table.
struct MachineCheck {
  std::string name;  ///< "governor": harness/machine/README.md lists all
  CheckAnswer answer = CheckAnswer::unknown;
  CheckSeverity severity = CheckSeverity::info;
  std::string seen;    ///< the observation, as part of a sentence; for unknown: the reason
  std::string advice;  ///< how to fix it; empty unless bad

  bool operator==(const MachineCheck&) const = default;
};

using MachineChecks = std::vector<MachineCheck>;

}  // namespace torchgate::record
