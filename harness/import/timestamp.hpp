// SPDX-License-Identifier: Apache-2.0
// A moment as records have it.
#pragma once

#include <chrono>
#include <string>

namespace torchgate::import {

/// "2026-01-31T23:59:59.000Z". REQUIRES: years 0 to 9999.
std::string utc_timestamp(std::chrono::sys_seconds time);

}  // namespace torchgate::import
