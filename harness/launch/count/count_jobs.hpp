// SPDX-License-Identifier: Apache-2.0
// Which processes count the instructions of which cases, and which cases cannot be counted.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/count/count_process.hpp"
#include "harness/launch/request.hpp"
#include "harness/launch/selection.hpp"

namespace torchgate::launch {

/// One process each, and the cases that have none. Refers to the selection that it was made of.
struct CountJobs {
  std::vector<CountJob> jobs;
  std::map<std::pair<std::int64_t, std::string>, std::string> unknown;  ///< (side, case): why it is not counted
};

/// The counter of WANTED for suites: the CPU's where it has one and functions are not needed, otherwise Callgrind. not_found: both
/// are missing, and why; bad_input: the one that was asked for is missing.
base::Result<CountSettings> choose_counter(const CountRequest& wanted);

/// What counts the cases of Google Benchmark programs where SETTINGS count those of suites: Callgrind, which sees where their loop begins and
/// ends; the CPU's counter counts a whole process. An error says why they are not counted.
base::Result<CountSettings> choose_program_counter(const CountSettings& settings, const CountRequest& wanted);

/// Each group on each side once; of a Google Benchmark program, and with OF_ONE_CASE, each case: what a process executes before its first case
/// belongs to that one only. PROGRAMS: of choose_program_counter().
CountJobs count_jobs(const Selection& selection, const base::Result<CountSettings>& programs, bool of_one_case);

}  // namespace torchgate::launch
