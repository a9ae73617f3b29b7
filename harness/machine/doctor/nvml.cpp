// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/doctor/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>

#include "harness/machine/doctor/nvml_calls.hpp"

namespace torchgate::machine::doctor {
namespace nvml {

void* find(void* library, const char* name) {
  return dlsym(library, name);
}

std::string complaint(void* library, const char* name, Status status) {
  auto* const words_of = function<ErrorString>(library, "nvmlErrorString");
  const char* const words = words_of == nullptr ? nullptr : words_of(status);
  return std::string(name) + ": " + (words == nullptr ? "error " + std::to_string(status) : words);
}

std::string missing(const char* name) {
  return std::string(name) + ": not supported by this driver";
}

std::string text(void* library, const char* name, Device device) {
  auto* const called = function<DeviceText>(library, name);
  std::array<char, 128> buffer{};
  if (called == nullptr || called(device, buffer.data(), buffer.size() - 1) != success) return "";
  return buffer.data();
}

Reading<unsigned long long> event_reasons(void* library, Device device) {
  const char* const name = "nvmlDeviceGetCurrentClocksEventReasons";
  const char* const old_name = "nvmlDeviceGetCurrentClocksThrottleReasons";
  const bool is_old = find(library, name) == nullptr && find(library, old_name) != nullptr;
  return read<DeviceLongNumber, unsigned long long>(library, is_old ? old_name : name, device);
}

namespace {

Reading<std::vector<unsigned>> processes(void* library, Device device) {
  using Pids = Reading<std::vector<unsigned>>;
  const char* name = "nvmlDeviceGetComputeRunningProcesses_v3";
  if (find(library, name) == nullptr) name = "nvmlDeviceGetComputeRunningProcesses_v2";
  auto* const called = function<DeviceProcesses>(library, name);
  if (called == nullptr) return Pids::unknown(missing(name));
  std::vector<ProcessInfo> all(64);
  Status status = insufficient_size;
  for (int attempt = 0; attempt < 3 && status == insufficient_size;
       ++attempt) {  // further processes may start between the calls
    auto count = static_cast<unsigned>(all.size());
    status = called(device, &count, all.data());
    all.resize(status == insufficient_size ? std::size_t{count} + 16 : count);
  }
  if (status != success) return Pids::unknown(complaint(library, name, status));
  std::vector<unsigned> pids;
  pids.reserve(all.size());
  for (const ProcessInfo& each : all) pids.push_back(each.pid);
  return pids;
}

Reading<unsigned> memory_degrees(void* library, Device device) {
  const char* const name = "nvmlDeviceGetFieldValues";
  auto* const called = function<DeviceFields>(library, name);
  if (called == nullptr) return Reading<unsigned>::unknown(missing(name));
  FieldValue value;
  value.field = field_memory_temperature;
  Status status = called(device, 1, &value);
  if (status == success) status = value.status;
  if (status != success) return Reading<unsigned>::unknown(complaint(library, name, status));
  if (value.value_type != value_type_unsigned_int) return Reading<unsigned>::unknown("not an integer");
  return value.value.unsigned_int;
}

Reading<std::uint64_t> long_number(const Reading<unsigned long long>& number) {
  return number ? Reading<std::uint64_t>(std::uint64_t{*number}) : Reading<std::uint64_t>::unknown(number.why);
}

GpuDevice read_device(void* library, const Chosen& chosen) {
  Device const device = chosen.device;
  const auto number = [&](const char* name) { return read<DeviceNumber, unsigned>(library, name, device); };
  const auto of_kind = [&](const char* name, int kind) {
    return read<DeviceKindNumber, unsigned>(library, name, device, kind);
  };
  const auto current_and = [&](const Reading<unsigned>& now, const Reading<unsigned>& other) {
    return both<Pair>(now, other);
  };
  GpuDevice result;
  result.index = chosen.index;
  result.name = text(library, "nvmlDeviceGetName", device);
  result.uuid = text(library, "nvmlDeviceGetUUID", chosen.mig == nullptr ? device : chosen.mig);
  if (const auto pci = read<DevicePci, PciInfo>(library, "nvmlDeviceGetPciInfo_v3", device))
    result.bus_id = pci->bus_id;
  if (chosen.mig != nullptr) {  // "NVIDIA H100 80GB HBM3 MIG 1g.10gb"
    const std::string slice = text(library, "nvmlDeviceGetName", chosen.mig);
    const std::size_t at = slice.rfind("MIG ");
    result.mig_profile = at == std::string::npos ? slice : slice.substr(at + 4);
  }
  // Those of other slices do not disturb it.
  result.processes = processes(library, chosen.mig == nullptr ? device : chosen.mig);
  result.sm_mhz =
      current_and(of_kind("nvmlDeviceGetClockInfo", clock_sm), of_kind("nvmlDeviceGetMaxClockInfo", clock_sm));
  result.memory_mhz =
      current_and(of_kind("nvmlDeviceGetClockInfo", clock_memory), of_kind("nvmlDeviceGetMaxClockInfo", clock_memory));
  result.event_reasons = long_number(event_reasons(library, device));
  result.temperature = current_and(of_kind("nvmlDeviceGetTemperature", temperature_gpu),
                                   of_kind("nvmlDeviceGetTemperatureThreshold", threshold_slowdown));
  result.memory_temperature =
      current_and(memory_degrees(library, device), of_kind("nvmlDeviceGetTemperatureThreshold", threshold_memory_max));
  const auto persistence = number("nvmlDeviceGetPersistenceMode");
  result.persistence = persistence ? Reading<bool>(*persistence != 0) : Reading<bool>::unknown(persistence.why);
  result.mig = read_two<Pair>(library, "nvmlDeviceGetMigMode", device);
  result.ecc = read_two<Pair>(library, "nvmlDeviceGetEccMode", device);
  result.uncorrected_errors = long_number(read<DeviceErrors, unsigned long long>(
      library, "nvmlDeviceGetTotalEccErrors", device, error_uncorrected, since_driver_loaded));
  result.power_limit_mw =
      current_and(number("nvmlDeviceGetPowerManagementLimit"), number("nvmlDeviceGetPowerManagementDefaultLimit"));
  result.compute_mode = number("nvmlDeviceGetComputeMode");
  result.pcie_generation =
      current_and(number("nvmlDeviceGetCurrPcieLinkGeneration"), number("nvmlDeviceGetMaxPcieLinkGeneration"));
  result.pcie_width = current_and(number("nvmlDeviceGetCurrPcieLinkWidth"), number("nvmlDeviceGetMaxPcieLinkWidth"));
  const auto memory =
      read<DeviceMemory, Memory>(library, "nvmlDeviceGetMemoryInfo", chosen.mig == nullptr ? device : chosen.mig);
  result.memory =
      memory ? Reading<GpuMemory>(GpuMemory{memory->total, memory->free}) : Reading<GpuMemory>::unknown(memory.why);
  return result;
}

}  // namespace
}  // namespace nvml

base::Result<std::shared_ptr<const Nvml>> Nvml::open(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = dlerror();
    return base::Error{base::ErrorCode::not_found, why == nullptr ? library + ": cannot be opened" : why};
  }
  const char* const name = "nvmlInit_v2";
  auto* const init = nvml::function<nvml::Init>(handle, name);
  const nvml::Status status = init == nullptr ? nvml::not_supported : init();
  if (init == nullptr || status != nvml::success) {
    const std::string why = init == nullptr ? nvml::missing(name) : nvml::complaint(handle, name, status);
    dlclose(handle);
    return base::Error{base::ErrorCode::io, why};
  }
  return std::shared_ptr<const Nvml>(new Nvml(handle));
}

Nvml::~Nvml() {
  if (auto* const shutdown = nvml::function<nvml::Init>(library_, "nvmlShutdown")) shutdown();
  dlclose(library_);
}

GpuSnapshot Nvml::snapshot(const std::map<std::string, std::string>& environment) const {
  GpuSnapshot gpu;
  gpu.unknown.clear();
  std::array<char, 96> driver{};
  auto* const driver_version = nvml::function<nvml::SystemText>(library_, "nvmlSystemGetDriverVersion");
  if (driver_version != nullptr && driver_version(driver.data(), driver.size() - 1) == nvml::success)
    gpu.driver = driver.data();
  for (const nvml::Chosen& each : nvml::choose(library_, environment, gpu.selection_doubt))
    gpu.devices.push_back(nvml::read_device(library_, each));
  if (gpu.devices.empty()) gpu.unknown = "NVML lists no device that CUDA can use";
  return gpu;
}

std::vector<Nvml::Look> Nvml::look(const std::map<std::string, std::string>& environment) const {
  std::vector<Look> looks;
  std::string doubt;
  for (const nvml::Chosen& each : nvml::choose(library_, environment, doubt)) {
    Look look;
    if (const auto reasons = nvml::event_reasons(library_, each.device)) look.reasons = *reasons;
    const auto clock =
        nvml::read<nvml::DeviceKindNumber, unsigned>(library_, "nvmlDeviceGetClockInfo", each.device, nvml::clock_sm);
    if (clock) look.sm_mhz = *clock;
    looks.push_back(look);
  }
  return looks;
}

GpuSnapshot look_at_gpus(const base::Result<std::shared_ptr<const Nvml>>& nvml,
                         const std::map<std::string, std::string>& environment) {
  if (nvml) return (*nvml)->snapshot(environment);
  GpuSnapshot none;
  none.unknown = nvml.error().message;
  return none;
}

}  // namespace torchgate::machine::doctor
