// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of a run's cases, in processes of their own beside those that are timed. Nothing else of the machine changes
// them, so several processes run at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/count/count_process.hpp"
#include "harness/launch/object_hashes.hpp"
#include "harness/launch/request.hpp"
#include "harness/launch/survey.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// A case on one side, with all functions that it executes.
struct CountedCase {
  record::InstructionCount count;
  std::map<FunctionName, double> functions;      ///< per call, of the first process that counted
  std::map<FunctionName, std::uint64_t> set_up;  ///< the same, before the calls
  std::string failed;                            ///< why a process did not count it; empty: all did
};

/// Counts the cases of FOUND, in WANTED.processes processes each. RUN is the run so far: the times in it are what the cost is estimated by,
/// which OBSERVER is told first. A process that fails leaves its cases unknown, with the reason (after a signal each of them gets a process of its own); what is not counted at DEADLINE is
/// unknown, too. When the user asks to stop, what was counted until then is returned. Errors: those of choose_counter(), io.
base::Result<std::vector<CountedCase>> count_cases(const Request& request, const CountRequest& wanted,
                                                   const Survey& found, const record::Run& run, ObjectHashes& hashes,
                                                   const std::filesystem::path& scratch,
                                                   std::optional<std::chrono::steady_clock::time_point> deadline,
                                                   Observer& observer);

/// The same for all cases of REQUEST, without timing any, with the lock of the machine: it would disturb what others time. TIMED has the
/// times that the cost is estimated by. What is not counted within LIMIT is unknown. interrupted: nothing is returned.
base::Result<std::vector<CountedCase>> count_only(const Request& request, const record::Run& timed,
                                                  std::chrono::nanoseconds limit, Observer& observer);

}  // namespace torchgate::launch
