// SPDX-License-Identifier: Apache-2.0
// The creation time in a record. The newest record is used as evidence, so a time in the future must be refused.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// How far the clock of the machine that made a record may be ahead of this one. Machines that follow a time server differ by
/// milliseconds; five minutes is what Kerberos (RFC 4120) allows for the others.
inline constexpr std::chrono::minutes largest_clock_skew{5};

/// For messages, after the name of the record and its time.
inline constexpr const char* from_the_future =
    "is later than now, so it is not evidence of a run; check the clocks of both machines, or measure again";

/// The latest time of a record, as it would have it, that is not from the future.
std::string latest_creation_time(std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// CREATED (UTC, "2026-03-01T09:30:00.125Z", as every record has it) is later than NOW by more than a clock may be ahead.
bool is_from_the_future(std::string_view created,
                        std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// bad_input where the record called NAME is from the future.
Result<void> check_creation_time(const std::string& name, const std::string& created);

}  // namespace torchgate::base
