// SPDX-License-Identifier: Apache-2.0
// Points in time as the record writes them.
#pragma once

#include <chrono>
#include <string>

namespace torchgate::base {

/// UTC, ISO 8601 with milliseconds: "2026-03-01T09:30:00.125Z". Rounds down.
std::string utc_timestamp(std::chrono::system_clock::time_point time);

}  // namespace torchgate::base
