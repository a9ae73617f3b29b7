// SPDX-License-Identifier: Apache-2.0
// Why a device's clock is below its maximum: NVML's clock event reasons (formerly "throttle reasons"). The bits are
// those of nvml.h, cross-checked in three public copies; the ABI never changes.
#pragma once

#include <cstdint>

namespace torchgate::machine::doctor {

inline constexpr std::uint64_t reason_idle = 0x1;
inline constexpr std::uint64_t reason_application_clocks = 0x2;
inline constexpr std::uint64_t reason_power_cap = 0x4;
inline constexpr std::uint64_t reason_hardware_slowdown = 0x8;
inline constexpr std::uint64_t reason_sync_boost = 0x10;
inline constexpr std::uint64_t reason_software_thermal = 0x20;
inline constexpr std::uint64_t reason_hardware_thermal = 0x40;
inline constexpr std::uint64_t reason_power_brake = 0x80;
inline constexpr std::uint64_t reason_display = 0x100;

/// The device lowered its clock: its timings are invalid.
inline constexpr std::uint64_t fatal_reasons =
    reason_hardware_slowdown | reason_software_thermal | reason_hardware_thermal | reason_power_brake;

}  // namespace torchgate::machine::doctor
