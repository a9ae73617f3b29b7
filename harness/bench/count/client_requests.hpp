// SPDX-License-Identifier: Apache-2.0
// Requests of this program to Callgrind, which are a few instructions without effect outside of it. Built without Valgrind's headers
// (Debian: valgrind), a suite does not notice that it runs there.
#pragma once

#if __has_include(<valgrind/callgrind.h>)

#include <valgrind/callgrind.h>

namespace torchgate::bench {
inline constexpr const char* callgrind_support = "this process does not run in Callgrind";
}

#else

#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_STOP_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)

namespace torchgate::bench {
inline constexpr const char* callgrind_support = "this program was built without Valgrind's headers";
}

#endif
