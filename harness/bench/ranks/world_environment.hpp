// SPDX-License-Identifier: Apache-2.0
// Reads the world of a process from the environment variables of a job launcher.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::bench {

struct WorldPlace {
  std::int64_t rank = 0;
  std::int64_t size = 1;
  std::string address;  ///< address of rank 0
  int port = 0;

  bool operator==(const WorldPlace&) const = default;
};

/// A variable's value; absent if it is not set.
using Lookup = std::function<std::optional<std::string>(const char*)>;
Lookup environment_lookup();

/// Absent in an ordinary process. Supported are, in this order: `torchgate run` and torchrun (RANK, WORLD_SIZE,
/// MASTER_ADDR, MASTER_PORT; where torchrun's agent listens at that port itself, TORCHELASTIC_USE_AGENT_STORE, the
/// next one is taken), and a step of srun (SLURM_PROCID, SLURM_STEP_NUM_TASKS; the job script must set MASTER_ADDR
/// and MASTER_PORT). bad_input if a variable is missing or invalid.
base::Result<std::optional<WorldPlace>> world_place(const Lookup& lookup);

}  // namespace torchgate::bench
