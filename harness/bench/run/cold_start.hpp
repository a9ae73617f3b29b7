// SPDX-License-Identifier: Apache-2.0
// Cold starts: every sample is a process that builds a case and calls it once. What one launch measured, and several launches
// as one result.
#pragma once

#include <vector>

#include "harness/record/case.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// How cold starts are measured. Their times are not compared with those of other protocols.
inline constexpr const char* cold_protocol = "cold-start/1";

/// The factory: loading or compiling the model and making its inputs (ns).
inline constexpr const char* build_time_metric = "build_time";
/// The first call of the process, with the wait for its device (ns).
inline constexpr const char* first_call_metric = "first_call";
/// From the launch of the process to main(): loading the executable and its libraries (ns).
inline constexpr const char* load_time_metric = "load_time";

/// The results of several launches of one case as one: timed metrics have the samples of all of them, in order; an exact metric
/// that differs between them is left out, with a note. When one is not ok, it is the result.
/// REQUIRES: at least one result.
record::CaseResult join_launches(const record::Case& definition, std::vector<record::CaseResult> launches);

}  // namespace torchgate::bench
