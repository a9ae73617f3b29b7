// SPDX-License-Identifier: Apache-2.0
// governor, turbo, smt.
#include <algorithm>

#include "harness/machine/doctor/cpu_list.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

MachineCheck governor(const Snapshot& now) {
  const auto name = fact(now, "governor");
  if (!name) return unknown("governor", name.why);
  const std::string seen = "the frequency governor is " + *name;
  return *name == "performance" ? ok("governor", seen) : bad("governor", seen);
}

MachineCheck turbo(const Snapshot& now) {
  const auto state = fact(now, "turbo");
  if (!state) return unknown("turbo", state.why);
  return *state == "off" ? ok("turbo", "turbo is off") : bad("turbo", "turbo is on");
}

MachineCheck smt(const Snapshot& now) {
  const auto state = fact(now, "smt");
  if (!state) return unknown("smt", state.why);
  if (*state == "off") return ok("smt", "SMT is off");
  std::string outside;
  for (const auto& [cpu, text] : now.siblings) {
    if (!text) return unknown("smt", text.why);
    const auto siblings = cpu_list(*text);
    if (siblings.empty())
      return unknown("smt", "siblings of CPU " + std::to_string(cpu) + ": invalid list '" + *text + "'");
    for (const int sibling : siblings) {
      if (std::find(now.cpus.begin(), now.cpus.end(), sibling) == now.cpus.end())
        outside += (outside.empty() ? "" : ", ") + std::to_string(sibling);
    }
  }
  if (now.siblings.empty()) return unknown("smt", "the affinity mask is unknown");
  if (outside.empty()) return ok("smt", "SMT is on, and the run has both siblings of each core");
  return bad("smt", "SMT is on, and other programs can use the siblings of the run's cores (CPU " + outside + ")");
}

}  // namespace

MachineChecks frequency_rows(const Snapshot& now) {
  return {governor(now), turbo(now), smt(now)};
}

}  // namespace torchgate::machine::doctor
