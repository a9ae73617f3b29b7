// SPDX-License-Identifier: Apache-2.0
// Times of the start of this process: the cost of starting a program before its first line runs.
#pragma once

#include <cstdint>
#include <optional>

namespace torchgate::bench {

/// CLOCK_MONOTONIC in ns, the clock of std::chrono::steady_clock on Linux: all processes of a machine share it.
std::int64_t monotonic_ns();

/// When the dynamic linker had mapped and bound all libraries, before any of them initialised itself. Absent if the
/// platform does not provide it (a static program, another libc).
std::optional<std::int64_t> libraries_loaded_at_ns();

}  // namespace torchgate::bench
