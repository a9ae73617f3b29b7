// SPDX-License-Identifier: Apache-2.0
// CPU features as requirements of cases: .needs("avx512_vnni").
#pragma once

#include <optional>
#include <string>

namespace torchgate::bench {

/// Why code cannot use this feature (a name from /proc/cpuinfo's flags: "avx2", "amx_bf16"); absent if it can. Either the CPU
/// does not have it, or ONEDNN_MAX_CPU_ISA (or its older name DNNL_MAX_CPU_ISA) keeps oneDNN, which has most kernels for such
/// features, from using it: a CPU limited in this way skips the same cases as one that has less.
std::optional<std::string> missing_cpu_feature(const std::string& name);

}  // namespace torchgate::bench
