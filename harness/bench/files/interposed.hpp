// SPDX-License-Identifier: Apache-2.0
// What interposed.cpp notes, for files_read().
#pragma once

#include "harness/bench/files/read_log.hpp"

namespace torchgate::bench {

/// The files and the environment variables (by name) that this process looked up.
ReadLog& read_log() noexcept;
ReadLog& variable_log() noexcept;

/// Calls of libraries reach the functions of interposed.cpp. False if the executable was linked without exporting them, or
/// another library is in front of it.
bool is_interposed();

}  // namespace torchgate::bench
