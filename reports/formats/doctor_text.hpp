// SPDX-License-Identifier: Apache-2.0
// The doctor's rows as text and as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "harness/record/run.hpp"

namespace torchgate::reports {

/// Why a check of this name matters, in a sentence; empty where that is not known.
using WhyOfCheck = std::function<std::string(const std::string& name)>;

/// As the JSON has them: "ok", "bad", "unknown"; "fatal", "warning", "info".
std::string_view check_word(record::CheckAnswer answer);
std::string_view check_word(record::CheckSeverity severity);

/// The model of `torchgate doctor`.
struct DoctorReport {
  record::MachineChecks checks;  ///< worst first
  WhyOfCheck why;
  record::Machine machine = {};  ///< its keys and facts
};

/// A table in the order given. Below a bad row follow why it matters and how to fix it; neighbours that are unknown for
/// the same reason share a line.
std::string doctor_text(const record::MachineChecks& checks, const WhyOfCheck& why);

/// Schema torchgate.doctor/1: {"schema", "fatal": count of fatal bad rows, "checks": [{name, answer, severity, seen, why,
/// advice}], and "host_key", "device_key" and "facts" as in a record}.
std::string doctor_json(const DoctorReport& report);

/// How many rows are bad and fatal.
std::size_t fatal_count(const record::MachineChecks& checks);

}  // namespace torchgate::reports
