// SPDX-License-Identifier: Apache-2.0
// What a job launcher says in the environment about the world of a process.
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
  std::string address;  ///< where rank 0 listens
  int port = 0;

  bool operator==(const WorldPlace&) const = default;
};

/// A variable's value; absent when it is not set.
using Lookup = std::function<std::optional<std::string>(const char*)>;
Lookup environment_lookup();

/// Absent in an ordinary process. Known are, in this order: `torchgate run` and torchrun (RANK, WORLD_SIZE, MASTER_ADDR,
/// MASTER_PORT; where torchrun's agent listens at that port itself, TORCHELASTIC_USE_AGENT_STORE, the next one is taken),
/// and a step of srun (SLURM_PROCID, SLURM_STEP_NUM_TASKS; MASTER_ADDR and MASTER_PORT are the job script's to set).
/// bad_input when a variable is missing or makes no sense.
base::Result<std::optional<WorldPlace>> world_place(const Lookup& lookup);

}  // namespace torchgate::bench
