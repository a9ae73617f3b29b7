// SPDX-License-Identifier: Apache-2.0
// What a run keeps of the files that it was made of, where another tool measured.
#pragma once

#include <algorithm>

#include "harness/record/run.hpp"

namespace torchgate::record {

/// Plan::profile of an imported run: it is unknown what it was asked to measure, so it cannot be measured again.
inline constexpr const char* imported_profile = "imported";

/// A fact without a value: the files have no time of the measurement, and those of the run are of the files' last change.
inline constexpr const char* measurement_date_fact = "measurement_date";

inline bool is_imported(const Run& run) {
  return run.plan.profile == imported_profile;
}

/// Whether the run's times are those of the measurement.
inline bool has_dates(const Run& run) {
  return std::none_of(run.machine.facts.begin(), run.machine.facts.end(),
                      [](const MachineFact& fact) { return fact.name == measurement_date_fact && !fact.value; });
}

}  // namespace torchgate::record
