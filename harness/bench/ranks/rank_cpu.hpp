// SPDX-License-Identifier: Apache-2.0
// Ranks that share one CPU, because there are fewer CPUs than their threads.
#pragma once

namespace torchgate::bench {

/// Set by the launcher (harness/launch/rank_processes.hpp): the CPU that all ranks of the launch run on.
inline constexpr const char* rank_cpu_variable = "TORCHGATE_RANK_CPU";

/// Moves this process, and the threads that it starts later, to that CPU; nothing where the variable is not set or no such CPU may be
/// used. Returns whether it did.
bool move_to_rank_cpu();

/// The variable is set.
bool shares_rank_cpu();

}  // namespace torchgate::bench
