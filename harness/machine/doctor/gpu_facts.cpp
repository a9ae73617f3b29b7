// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "harness/base/content_hash.hpp"
#include "harness/machine/doctor/gpu_snapshot.hpp"

namespace torchgate::machine::doctor {
namespace {

using record::FactClass;

void replace_fact(record::Machine& machine, const std::string& name, const std::string& value, FactClass fact_class) {
  std::erase_if(machine.facts, [&](const auto& fact) { return fact.name == name; });
  if (!value.empty()) machine.facts.push_back({name, value, "", fact_class});
}

/// "NVIDIA H100 80GB HBM3" to "nvidia-h100-80gb-hbm3".
std::string slug(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !result.empty() && result.back() != '-') result += '-';
  }
  return result.substr(0, 32);
}

/// Whole GiB: drivers reserve slightly different amounts, which must not change the device key.
std::string memory_text(const GpuDevice& gpu) {
  if (!gpu.memory) return "";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f GiB", static_cast<double>(gpu.memory->total_bytes) / (1ULL << 30U));
  return text.data();
}

}  // namespace

std::string device_key_by_name(const std::string& name) {
  return slug(name) + "-by-name";
}

void add_device_facts(record::Machine& machine, const GpuSnapshot& gpu) {
  if (gpu.devices.empty()) return;
  const GpuDevice& first = gpu.devices.front();
  replace_fact(machine, "gpu_driver", gpu.driver, FactClass::warn);
  const bool alike = std::ranges::all_of(gpu.devices, [&](const GpuDevice& each) { return each.name == first.name; });
  // CUDA's first device may be another one.
  if (!alike || !gpu.selection_doubt.empty()) return;
  const std::string count = std::to_string(gpu.devices.size());
  const std::string memory = memory_text(first);
  const std::string profile = first.mig_profile.empty() ? "none" : first.mig_profile;
  std::erase_if(machine.facts, [](const auto& fact) { return fact.name == "gpu"; });  // written before NVML was queried
  replace_fact(machine, "gpu_name", first.name, FactClass::device);
  replace_fact(machine, "gpu_memory", memory, FactClass::device);
  replace_fact(machine, "gpu_mig_profile", profile, FactClass::device);
  replace_fact(machine, "gpu_count", count, FactClass::device);
  const std::string identity = first.name + "\n" + memory + "\n" + profile + "\n" + count;
  machine.device_key = slug(first.name) + "-" + count + "x-" + base::sha256(identity).substr(0, 8);
}

}  // namespace torchgate::machine::doctor
