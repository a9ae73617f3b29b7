// SPDX-License-Identifier: Apache-2.0
// How much CPU time the control group of this process may use: what `docker run --cpus` and Kubernetes limits set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "harness/base/result.hpp"

namespace torchgate::machine {

struct CpuQuota {
  std::optional<double> cpus;  ///< the smallest limit from our group up to the root; absent: no limit
};

/// Supports both hierarchies: cpu.max (v2) and cpu.cfs_quota_us (v1, also beside v2 as systemd mounts it). An error if
/// no CPU controller is mounted: the quota is then unknown.
base::Result<CpuQuota> cpu_quota(const std::filesystem::path& root);

/// How often a quota has throttled our group and those above it since boot, in total: nr_throttled of cpu.stat.
base::Result<std::int64_t> quota_throttles(const std::filesystem::path& root);

}  // namespace torchgate::machine
