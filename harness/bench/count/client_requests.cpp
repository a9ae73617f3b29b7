// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/count/client_requests.hpp"

#if __has_include(<valgrind/callgrind.h>)

#include <valgrind/callgrind.h>

namespace torchgate::bench::callgrind {

bool runs_here() {
  return RUNNING_ON_VALGRIND != 0;
}
void start_counting() {
  CALLGRIND_START_INSTRUMENTATION;
}
void stop_counting() {
  CALLGRIND_STOP_INSTRUMENTATION;
}
void write_down(const std::string& name) {
  CALLGRIND_DUMP_STATS_AT(name.c_str());
}
const char* why_not() {
  return "this process does not run in Callgrind";
}

}  // namespace torchgate::bench::callgrind

#else

namespace torchgate::bench::callgrind {

bool runs_here() {
  return false;
}
void start_counting() {}
void stop_counting() {}
void write_down(const std::string&) {}
const char* why_not() {
  return "this program was built without Valgrind's headers; install valgrind and build it again";
}

}  // namespace torchgate::bench::callgrind

#endif
