// SPDX-License-Identifier: Apache-2.0
// What /proc/cpuinfo says of the CPU: every architecture has its own lines.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::machine {

/// /proc/cpuinfo below ROOT, about the first of CPUS, or about any where they are not known.
struct CpuInfo {
  const std::filesystem::path& root;
  const std::vector<int>& cpus;
};

/// The value of KEY.
base::Result<std::string> cpuinfo(const CpuInfo& sources, std::string_view key);

/// What tells this model of CPU from others: its name, or where an architecture has none, its numbers. An error where /proc/cpuinfo has neither.
base::Result<std::string> cpu_model(const CpuInfo& sources);

}  // namespace torchgate::machine
