// SPDX-License-Identifier: Apache-2.0
// What was checked of the machine before and after a run (`torchgate doctor`), as it is kept in the record.
#pragma once

#include <string>
#include <vector>

namespace torchgate::record {

/// unknown is an answer of its own: the file is absent, the library is missing, reading it is not allowed.
enum class CheckAnswer { ok, bad, unknown };

/// What a bad answer does. fatal: every timed verdict becomes inconclusive. warning: said in the report. info: kept.
enum class CheckSeverity { fatal, warning, info };

/// One row of the doctor's table.
struct MachineCheck {
  std::string name;  ///< "governor": harness/machine/README.md lists all
  CheckAnswer answer = CheckAnswer::unknown;
  CheckSeverity severity = CheckSeverity::info;
  std::string seen;    ///< what was seen, as words that can stand in a sentence; for unknown: why
  std::string advice;  ///< how to mend it; empty unless bad

  bool operator==(const MachineCheck&) const = default;
};

using MachineChecks = std::vector<MachineCheck>;

}  // namespace torchgate::record
