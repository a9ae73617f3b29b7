// SPDX-License-Identifier: Apache-2.0
// The part of NVML that is called here, with our own prototypes: neither nvml.h is needed to build nor the library to
// start. Names, numbers and layouts are NVML's ABI, which is stable: a changed struct gets a new function (_v2, _v3).
#pragma once

namespace torchgate::machine::doctor::nvml {

using Status = int;
inline constexpr Status success = 0;
inline constexpr Status not_supported = 3;
inline constexpr Status insufficient_size = 7;

using Device = void*;

struct Memory {  // nvmlMemory_t
  unsigned long long total = 0;
  unsigned long long free = 0;
  unsigned long long used = 0;
};

struct PciInfo {  // nvmlPciInfo_t
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): as NVML declares it
  char bus_id_legacy[16] = {};
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned device = 0;
  unsigned pci_device_id = 0;
  unsigned pci_subsystem_id = 0;
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): as NVML declares it
  char bus_id[32] = {};
};

struct ProcessInfo {  // nvmlProcessInfo_v2_t, of ..._v2 and ..._v3
  unsigned pid = 0;
  unsigned long long used_memory = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

struct FieldValue {  // nvmlFieldValue_t
  unsigned field = 0;
  unsigned scope = 0;
  long long timestamp = 0;
  long long latency_us = 0;
  int value_type = 0;
  Status status = 0;
  union {
    unsigned unsigned_int;
    unsigned long long unsigned_long_long;
    double real;
  } value = {};
};

// Arguments that NVML has enumerations for.
inline constexpr int clock_sm = 1;
inline constexpr int clock_memory = 2;
inline constexpr int temperature_gpu = 0;
inline constexpr int threshold_slowdown = 1;
inline constexpr int threshold_memory_max = 2;
inline constexpr unsigned field_memory_temperature = 82;
inline constexpr int value_type_unsigned_int = 1;
inline constexpr int error_uncorrected = 1;
inline constexpr int since_driver_loaded = 0;

using Init = Status();
using ErrorString = const char*(Status);
using SystemText = Status(char*, unsigned);
using Count = Status(unsigned*);
using ByIndex = Status(unsigned, Device*);
using ByText = Status(const char*, Device*);
using OfDeviceByIndex = Status(Device, unsigned, Device*);
using OfDevice = Status(Device, Device*);
using DeviceText = Status(Device, char*, unsigned);
using DevicePci = Status(Device, PciInfo*);
using DeviceMemory = Status(Device, Memory*);
using DeviceProcesses = Status(Device, unsigned*, ProcessInfo*);
using DeviceNumber = Status(Device, unsigned*);
using DeviceTwoNumbers = Status(Device, unsigned*, unsigned*);
using DeviceKindNumber = Status(Device, int, unsigned*);
using DeviceLongNumber = Status(Device, unsigned long long*);
using DeviceErrors = Status(Device, int, int, unsigned long long*);
using DeviceFields = Status(Device, int, FieldValue*);

}  // namespace torchgate::machine::doctor::nvml
