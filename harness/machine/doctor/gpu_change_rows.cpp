// SPDX-License-Identifier: Apache-2.0
// gpu_throttling, gpu_power_cap, gpu_clock_change: what a watcher saw while the run went on.
#include <cmath>
#include <utility>

#include "harness/machine/doctor/gpu_reasons.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// measurement.md 1.3.
constexpr double doubtful_clock_change = 0.03;

std::string words_of(std::uint64_t reasons) {
  constexpr std::pair<std::uint64_t, const char*> all[] = {{reason_hardware_slowdown, "hardware slowdown"},
                                                           {reason_software_thermal, "software thermal slowdown"},
                                                           {reason_hardware_thermal, "hardware thermal slowdown"},
                                                           {reason_power_brake, "hardware power brake"}};
  std::string text;
  for (const auto& [bit, words] : all)
    if ((reasons & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  return text;
}

MachineCheck clock_change(const GpuDuring& during) {
  const char* const name = "gpu_clock_change";
  if (!during.first_busy_mhz || !during.last_busy_mhz || *during.first_busy_mhz <= 0)
    return unknown(name, "the device was never seen busy");
  const double change = std::abs(*during.last_busy_mhz / *during.first_busy_mhz - 1);
  const std::string seen = "the SM clock went from " + short_number(*during.first_busy_mhz) + " to " +
                           short_number(*during.last_busy_mhz) + " MHz";
  return change > doubtful_clock_change ? bad(name, seen) : ok(name, seen);
}

}  // namespace

MachineChecks gpu_change_rows(const std::optional<GpuDuring>& during) {
  if (!during || during->looks == 0) {
    const char* const why = during ? "the driver gives no event reasons" : "nobody watched the device";
    return {unknown("gpu_throttling", why), unknown("gpu_power_cap", why), unknown("gpu_clock_change", why)};
  }
  const std::uint64_t slowed = during->reasons & fatal_reasons;
  const bool capped = (during->reasons & reason_power_cap) != 0;
  return {
      slowed != 0 ? bad("gpu_throttling", "seen during the run: " + words_of(slowed))
                  : ok("gpu_throttling", "no slowdown was seen"),
      capped ? bad("gpu_power_cap", "the power limit lowered the clock") : ok("gpu_power_cap", "no power cap was seen"),
      clock_change(*during)};
}

}  // namespace torchgate::machine::doctor
