// SPDX-License-Identifier: Apache-2.0
// Points in time as the record writes them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace torchgate::base {

/// UTC, ISO 8601 with milliseconds: "2026-03-01T09:30:00.125Z". REQUIRES: years 0 to 9999, which a file may name and the
/// nanoseconds of system_clock do not reach.
std::string utc_timestamp(std::chrono::sys_time<std::chrono::milliseconds> time);

/// The same, rounded down.
std::string utc_timestamp(std::chrono::system_clock::time_point time);

/// The second that a text of that form names, with or without milliseconds; absent: it is not of that form, or no date.
std::optional<std::chrono::sys_seconds> utc_seconds(std::string_view utc);

}  // namespace torchgate::base
