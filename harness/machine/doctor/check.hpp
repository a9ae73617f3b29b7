// SPDX-License-Identifier: Apache-2.0
// The rows of the doctor's table: name, severity, why it matters and how to fix it. Rules and severities:
// the table of harness/machine/README.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/record/run.hpp"

namespace torchgate::machine::doctor {

using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;
using record::MachineChecks;

/// When a row is checked.
enum class Moment {
  setting,  ///< before and after the run: it must not change in between
  before,   ///< before the run only: afterwards it would show the run's own load
  during    ///< what happened between two snapshots
};

/// What a bad answer is about; read where runs are compared.
enum class Subject {
  other,
  machine,  ///< a property that both sides share, unless it changed during the run
  load      ///< other programs on the CPUs
};

struct CheckKind {
  const char* name;
  CheckSeverity severity;  ///< of a bad answer, at its worst
  Moment moment;
  const char* why;  ///< why it matters to timings
  const char* fix;  ///< an imperative, without a full stop
  Subject subject = Subject::other;
  int rank = 0;  ///< of load: 1 is the most telling
};

/// All of them, by theme.
std::span<const CheckKind> check_kinds();

/// nullptr for an unknown name.
const CheckKind* find_kind(std::string_view name);

// The three answers. REQUIRES: NAME is in the table.
MachineCheck ok(std::string_view name, std::string seen);
MachineCheck bad(std::string_view name, std::string seen);
/// For rows whose severity differs from that of their kind.
MachineCheck bad(std::string_view name, std::string seen, CheckSeverity severity);
MachineCheck unknown(std::string_view name, std::string why);

}  // namespace torchgate::machine::doctor
