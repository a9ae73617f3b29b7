// SPDX-License-Identifier: Apache-2.0
// power_supply, virtualisation, clocksource, aslr.
#include <algorithm>
#include <array>

#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// Clocks that are read without a system call, by their names in current_clocksource.
constexpr std::array quick_clocks{
    "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase", "riscv_clocksource", "tod"};

MachineCheck power_supply(const Snapshot& now) {
  if (!now.power_supplies) return unknown("power_supply", now.power_supplies.why);
  for (const PowerSupply& supply : *now.power_supplies) {
    if (supply.type.empty()) return unknown("power_supply", supply.name + ": its type cannot be read");
    if (supply.type == "Battery" && supply.status == "Discharging")
      return bad("power_supply", "running on battery (" + supply.name + ")");
  }
  return ok("power_supply", "not on battery");
}

MachineCheck virtualisation(const Snapshot& now) {
  const auto guest = fact(now, "virtual_machine");
  if (!guest) return unknown("virtualisation", guest.why);
  return *guest == "no" ? ok("virtualisation", "no hypervisor") : bad("virtualisation", "running in a virtual machine");
}

MachineCheck clocksource(const Snapshot& now) {
  const auto name = fact(now, "clocksource");
  if (!name) return unknown("clocksource", name.why);
  const bool quick = std::find(quick_clocks.begin(), quick_clocks.end(), *name) != quick_clocks.end();
  return quick ? ok("clocksource", "the clock source is " + *name) : bad("clocksource", "the clock source is " + *name);
}

/// pyperf requires ASLR, Google Benchmark disables it. Timings come from many processes here, so a random layout adds
/// noise instead of bias.
MachineCheck aslr(const Snapshot& now) {
  const auto value = fact(now, "aslr");
  if (!value) return unknown("aslr", value.why);
  const std::string seen = "randomize_va_space is " + *value;
  return *value == "2" ? ok("aslr", seen) : bad("aslr", seen);
}

}  // namespace

MachineChecks platform_rows(const Snapshot& now) {
  return {power_supply(now), virtualisation(now), clocksource(now), aslr(now)};
}

}  // namespace torchgate::machine::doctor
