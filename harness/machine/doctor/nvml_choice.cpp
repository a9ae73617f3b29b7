// SPDX-License-Identifier: Apache-2.0
// Which devices CUDA would use. NVML numbers all of them in bus order; CUDA_VISIBLE_DEVICES selects some, by number,
// by the UUID (or its beginning) of a device, or by that of a MIG slice.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/machine/doctor/nvml_calls.hpp"
#include "harness/machine/system_files.hpp"

namespace torchgate::machine::doctor::nvml {
namespace {

std::vector<Chosen> all_devices(void* library) {
  std::vector<Chosen> devices;
  const auto count = read<Count, unsigned>(library, "nvmlDeviceGetCount_v2");
  for (unsigned i = 0; count && i < *count; ++i) {
    const auto device = read<ByIndex, Device>(library, "nvmlDeviceGetHandleByIndex_v2", i);
    if (device) devices.push_back({static_cast<int>(i), *device, nullptr});
  }
  return devices;
}

std::vector<std::string> entries(const std::string& list) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const auto parts = words(std::string_view(list).substr(begin, end - begin));
    result.emplace_back(parts.empty() ? "" : parts.front());
    begin = end + 1;
  }
  return result;
}

/// A slice's own handle, and the device it is a slice of.
std::optional<Chosen> find_slice(void* library, const std::vector<Chosen>& all, const std::string& uuid) {
  const auto slice = read<ByText, Device>(library, "nvmlDeviceGetHandleByUUID", uuid.c_str());
  if (!slice) return std::nullopt;
  const auto parent = read<OfDevice, Device>(library, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", *slice);
  if (!parent) return std::nullopt;
  for (const Chosen& each : all)
    if (each.device == *parent) return Chosen{each.index, each.device, *slice};
  return std::nullopt;
}

std::optional<Chosen> find_entry(void* library, const std::vector<Chosen>& all, const std::string& entry) {
  if (const auto number = to_integer(entry)) {
    if (*number < 0 || *number >= static_cast<std::int64_t>(all.size())) return std::nullopt;
    return all[static_cast<std::size_t>(*number)];
  }
  if (entry.starts_with("MIG-")) return find_slice(library, all, entry);
  for (const Chosen& each : all)
    if (entry.starts_with("GPU-") && text(library, "nvmlDeviceGetUUID", each.device).starts_with(entry)) return each;
  return std::nullopt;
}

/// CUDA numbers the fastest device first unless CUDA_DEVICE_ORDER=PCI_BUS_ID. With equal devices the order does not
/// matter.
std::string doubt_about_numbers(void* library, const std::vector<Chosen>& all,
                                const std::map<std::string, std::string>& environment) {
  const auto order = environment.find("CUDA_DEVICE_ORDER");
  if (order != environment.end() && order->second == "PCI_BUS_ID") return "";
  std::set<std::string> names;
  for (const Chosen& each : all) names.insert(text(library, "nvmlDeviceGetName", each.device));
  if (names.size() < 2) return "";
  return "CUDA_VISIBLE_DEVICES contains numbers, and CUDA may number these devices differently from NVML; set "
         "CUDA_DEVICE_ORDER=PCI_BUS_ID";
}

}  // namespace

std::vector<Chosen> choose(void* library, const std::map<std::string, std::string>& environment, std::string& doubt) {
  std::vector<Chosen> all = all_devices(library);
  const auto visible = environment.find("CUDA_VISIBLE_DEVICES");
  std::vector<Chosen> chosen;
  if (visible == environment.end()) {
    chosen = all;
  } else {
    for (const std::string& entry : entries(visible->second)) {
      const auto found = find_entry(library, all, entry);
      if (!found) break;  // as CUDA does: entries after an invalid one are ignored
      if (to_integer(entry)) doubt = doubt_about_numbers(library, all, environment);
      chosen.push_back(*found);
    }
  }
  for (Chosen& each : chosen) {  // CUDA uses the first slice of a sliced device
    const auto mode = read_two<std::pair<unsigned, unsigned>>(library, "nvmlDeviceGetMigMode", each.device);
    if (each.mig != nullptr || !mode || mode->first == 0) continue;
    const auto slice = read<OfDeviceByIndex, Device>(library, "nvmlDeviceGetMigDeviceHandleByIndex", each.device, 0U);
    if (slice) each.mig = *slice;
  }
  return chosen;
}

}  // namespace torchgate::machine::doctor::nvml
