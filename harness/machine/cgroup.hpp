// SPDX-License-Identifier: Apache-2.0
// How much CPU time the control group of this process may use: what `docker run --cpus` and Kubernetes limits set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "harness/base/result.hpp"

namespace torchgate::machine {

struct CpuQuota {
  std::optional<double> cpus;  ///< the smallest limit from our group up to the root; absent: none of them has one
};

/// Both hierarchies are understood: cpu.max (v2) and cpu.cfs_quota_us (v1, also beside v2 as systemd mounts it). An
/// error where no CPU controller is mounted: then nobody can know.
base::Result<CpuQuota> cpu_quota(const std::filesystem::path& root);

/// How often a quota has stopped us since boot, summed from our group up to the root: nr_throttled of cpu.stat.
base::Result<std::int64_t> quota_throttles(const std::filesystem::path& root);

}  // namespace torchgate::machine
