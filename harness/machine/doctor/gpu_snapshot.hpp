// SPDX-License-Identifier: Apache-2.0
// What NVML reports about the devices that CUDA cases would use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/facts.hpp"
#include "harness/machine/reading.hpp"

namespace torchgate::machine::doctor {

struct GpuMemory {
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;
};

/// A pair of numbers: current and pending mode, or current and largest value.
struct Pair {
  unsigned current = 0;
  unsigned other = 0;
};

struct GpuDevice {
  int index = 0;  ///< NVML's: the order on the PCI bus
  std::string name;
  std::string uuid;
  std::string bus_id;
  std::string mig_profile;                   ///< "1g.10gb"; empty: the whole device
  Reading<std::vector<unsigned>> processes;  ///< process ids of its compute processes
  Reading<Pair> sm_mhz;                      ///< current and largest
  Reading<Pair> memory_mhz;
  Reading<std::uint64_t> event_reasons;  ///< bits of gpu_reasons.hpp
  Reading<Pair> temperature;             ///< current and slow-down threshold, degrees Celsius
  Reading<Pair> memory_temperature;      ///< current and maximum
  Reading<bool> persistence;
  Reading<Pair> mig;                          ///< current and pending: 0 off, 1 on
  Reading<Pair> ecc;                          ///< current and pending
  Reading<std::uint64_t> uncorrected_errors;  ///< since the driver was loaded
  Reading<Pair> power_limit_mw;               ///< current and default
  Reading<unsigned> compute_mode;             ///< 0 default, 1 and 3 exclusive, 2 prohibited
  Reading<Pair> pcie_generation;
  Reading<Pair> pcie_width;
  Reading<GpuMemory> memory;
};

struct GpuSnapshot {
  std::string unknown = "not queried";  ///< why no device is known; empty if NVML answers
  std::string driver;
  std::vector<GpuDevice> devices;  ///< selected by CUDA_VISIBLE_DEVICES
  std::string selection_doubt;     ///< why these may be the wrong devices; empty: they are the right ones
};

/// SM clock of a device at the first and the last sample in which it was busy.
struct BusyClock {
  double first_mhz = 0;
  double last_mhz = 0;
};

/// What was observed during a run, over all devices.
struct GpuDuring {
  std::uint64_t reasons = 0;                          ///< union of the event reasons of all samples
  std::int64_t looks = 0;                             ///< samples with event reasons
  std::vector<std::optional<BusyClock>> clocks = {};  ///< of each device; absent: it was never busy
};

/// Facts of class device (gpu_name, gpu_memory, gpu_mig_profile, gpu_count) and driver (class warn), replacing facts
/// of the same name, and Machine::device_key. Nothing changes if no device is known, and of devices of different names
/// only the driver is taken: NVML does not tell which of them CUDA calls the first one.
void add_device_facts(record::Machine& machine, const GpuSnapshot& gpu);

/// Machine::device_key where NVML does not name the device that is used, by the name that LibTorch has for it.
std::string device_key_by_name(const std::string& name);

}  // namespace torchgate::machine::doctor
