// SPDX-License-Identifier: Apache-2.0
// What the tests of the doctor's rows share: finding a row, and the list of all that were forced.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/doctor/examine.hpp"

namespace torchgate::machine::doctor::testing {

// Columns of the tables.
inline constexpr auto ok_answer = CheckAnswer::ok;
inline constexpr auto bad_answer = CheckAnswer::bad;
inline constexpr auto unknown_answer = CheckAnswer::unknown;

/// The row of that name; a failure of the test and an empty one without it.
MachineCheck row(const MachineChecks& checks, const std::string& name);

const char* word(CheckAnswer answer);

/// (row, answer) of everything that the tables force.
using Forced = std::set<std::pair<std::string, CheckAnswer>>;

// Each table as a check of its own (a gtest failure names the line) that says what it has forced.
Forced force_settings();
Forced force_what_happens();
Forced force_gpu_rows();

}  // namespace torchgate::machine::doctor::testing
