// SPDX-License-Identifier: Apache-2.0
// Each function looks up one NVML function, calls it and returns its answer as a Reading. For nvml*.cpp only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/machine/doctor/nvml_functions.hpp"
#include "harness/machine/reading.hpp"

namespace torchgate::machine::doctor::nvml {

/// nullptr if the library lacks the function.
void* find(void* library, const char* name);

template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(find(library, name));
}

/// "nvmlDeviceGetMigMode: Not Supported".
std::string complaint(void* library, const char* name, Status status);

/// "nvmlDeviceGetMigMode: not supported by this driver".
std::string missing(const char* name);

/// Calls NAME(arguments..., &value).
template <class Function, class Value, class... Arguments>
Reading<Value> read(void* library, const char* name, Arguments... arguments) {
  auto* const called = function<Function>(library, name);
  if (called == nullptr) return Reading<Value>::unknown(missing(name));
  Value value{};
  const Status status = called(arguments..., &value);
  if (status != success) return Reading<Value>::unknown(complaint(library, name, status));
  return value;
}

/// Two readings as one: unknown for the first of them that is.
template <class Both, class First, class Second>
Reading<Both> both(const Reading<First>& first, const Reading<Second>& second) {
  if (!first) return Reading<Both>::unknown(first.why);
  if (!second) return Reading<Both>::unknown(second.why);
  return Both{*first, *second};
}

/// Calls NAME(device, &one, &other).
template <class Both>
Reading<Both> read_two(void* library, const char* name, Device device) {
  auto* const called = function<DeviceTwoNumbers>(library, name);
  if (called == nullptr) return Reading<Both>::unknown(missing(name));
  unsigned one = 0;
  unsigned other = 0;
  const Status status = called(device, &one, &other);
  if (status != success) return Reading<Both>::unknown(complaint(library, name, status));
  return Both{one, other};
}

std::string text(void* library, const char* name, Device device);

/// The current reasons; drivers before 535 provide them under the old name.
Reading<unsigned long long> event_reasons(void* library, Device device);

/// A device and what was chosen of it.
struct Chosen {
  int index = 0;
  Device device = nullptr;
  Device mig = nullptr;  ///< nullptr: the whole device
};

/// The devices that CUDA_VISIBLE_DEVICES leaves. `doubt` is set if CUDA may number the devices differently from NVML.
std::vector<Chosen> choose(void* library, const std::map<std::string, std::string>& environment, std::string& doubt);

}  // namespace torchgate::machine::doctor::nvml
