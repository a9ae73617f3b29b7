// SPDX-License-Identifier: Apache-2.0
// gpu_throttling, gpu_power_cap, gpu_clock_change: what was observed during the run.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/machine/doctor/gpu_reasons.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// Clocks that differ by more move the times of kernels as much as the changes that are looked for.
constexpr double doubtful_clock_change = 0.03;

std::string words_of(std::uint64_t reasons) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 4> all{
      {{reason_hardware_slowdown, "hardware slowdown"},
       {reason_software_thermal, "software thermal slowdown"},
       {reason_hardware_thermal, "hardware thermal slowdown"},
       {reason_power_brake, "hardware power brake"}}};
  std::string text;
  for (const auto& [bit, words] : all)
    if ((reasons & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  return text;
}

MachineCheck clock_change(const GpuDuring& during) {
  const char* const name = "gpu_clock_change";
  const auto change = [](const std::optional<BusyClock>& clock) {
    return clock && clock->first_mhz > 0 ? std::abs(clock->last_mhz / clock->first_mhz - 1) : -1;
  };
  const auto largest = std::max_element(during.clocks.begin(), during.clocks.end(),
                                        [&](const auto& a, const auto& b) { return change(a) < change(b); });
  if (largest == during.clocks.end() || change(*largest) < 0)
    return unknown(name, "no device was busy when it was checked");
  const std::string seen = "the SM clock changed from " + short_number((*largest)->first_mhz) + " to " +
                           short_number((*largest)->last_mhz) + " MHz";
  return change(*largest) > doubtful_clock_change ? bad(name, seen) : ok(name, seen);
}

}  // namespace

MachineChecks gpu_change_rows(const std::optional<GpuDuring>& during) {
  if (!during || during->looks == 0) {
    const char* const why =
        during ? "the driver reports no event reasons" : "the device was not monitored during the run";
    return {unknown("gpu_throttling", why), unknown("gpu_power_cap", why), unknown("gpu_clock_change", why)};
  }
  const std::uint64_t slowed = during->reasons & fatal_reasons;
  const bool capped = (during->reasons & reason_power_cap) != 0;
  return {slowed != 0 ? bad("gpu_throttling", "during the run: " + words_of(slowed))
                      : ok("gpu_throttling", "no slowdown during the run"),
          capped ? bad("gpu_power_cap", "the power limit lowered the clock during the run")
                 : ok("gpu_power_cap", "no power cap during the run"),
          clock_change(*during)};
}

}  // namespace torchgate::machine::doctor
