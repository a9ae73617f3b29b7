// SPDX-License-Identifier: Apache-2.0
// transparent_huge_pages, numa_balancing, swap.
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

MachineCheck transparent_huge_pages(const Snapshot& now) {
  const auto mode = fact(now, "transparent_huge_pages");
  if (!mode) return unknown("transparent_huge_pages", mode.why);
  const std::string seen = "transparent huge pages: " + *mode;
  return *mode == "always" ? bad("transparent_huge_pages", seen) : ok("transparent_huge_pages", seen);
}

MachineCheck numa_balancing(const Snapshot& now) {
  const char* const name = "numa_balancing";
  if (!now.numa_balancing) return unknown(name, now.numa_balancing.why);
  if (*now.numa_balancing == "0") return ok(name, "NUMA balancing is off");
  if (!now.numa_nodes) return unknown(name, now.numa_nodes.why);
  const bool several = now.numa_nodes->find_first_of("-,") != std::string::npos;  // "0", "0-1", "0,2"
  return several ? bad(name, "NUMA balancing is on, with nodes " + *now.numa_nodes)
                 : ok(name, "NUMA balancing is on, with a single node");
}

MachineCheck swap(const Snapshot& now) {
  if (!now.swap_there || !now.swap_used_kib) return unknown("swap", now.swap_there.why);
  if (!*now.swap_there) return ok("swap", "no swap");
  const std::int64_t mib = (*now.swap_used_kib + 1023) / 1024;
  if (mib == 0) return ok("swap", "swap is on and empty");
  return bad("swap", std::to_string(mib) + " MiB of memory in swap");
}

}  // namespace

MachineChecks memory_rows(const Snapshot& now) {
  return {transparent_huge_pages(now), numa_balancing(now), swap(now)};
}

}  // namespace torchgate::machine::doctor
