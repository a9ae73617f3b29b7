// SPDX-License-Identifier: Apache-2.0
#include "suites/common/requirements.hpp"

#include <sched.h>

namespace torchgate::suites {

std::optional<std::string> two_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) >= 2) return std::nullopt;
  return "this process may use only one CPU";
}

}  // namespace torchgate::suites
