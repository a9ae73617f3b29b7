// SPDX-License-Identifier: Apache-2.0
// Ranks as the tasks of a step of Slurm: one `srun` for each launch, on the nodes of the job that torchgate runs in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// What starts the processes of a launch with several ranks.
enum class RanksWith {
  automatic,  ///< srun in a job of Slurm with several tasks or nodes, outside of its steps; else torchgate
  torchgate,  ///< this program, on this machine
  srun
};

/// Variables of this process.
using OwnEnvironment = std::map<std::string, std::string>;

/// Whether srun is to start ranks under ENVIRONMENT.
bool by_srun(RanksWith with, const OwnEnvironment& environment);

/// The job of Slurm that this program belongs to.
struct SrunJob {
  std::filesystem::path srun;           ///< the program
  std::int64_t nodes = 1;               ///< of the job
  std::string address = "127.0.0.1";    ///< of its first node, where rank 0 runs, as the other nodes reach it
  std::vector<std::string> names = {};  ///< of its nodes, in order; empty: Slurm does not say
  std::int64_t used = 1;                ///< nodes on which a run starts ranks: the first ones

  /// Of a launch with so many RANKS: not more than it has ranks.
  [[nodiscard]] std::int64_t nodes_for(std::int64_t ranks) const;
  /// "n5", or "node 2" where that is not known. NODE counts from 0.
  [[nodiscard]] std::string name_of(std::int64_t node) const;
};

/// Whether ranks are to run on several nodes under ENVIRONMENT.
bool on_several_nodes(RanksWith with, const OwnEnvironment& environment);

/// The job that ENVIRONMENT is of. bad_input: there is none, this is a step of it, this is not its first node (rank 0 starts there, and writes
/// its report into a folder of this machine), or srun is not installed.
base::Result<SrunJob> srun_job(const OwnEnvironment& environment);

/// One `srun` that starts RANKS tasks of SUITE. They get the variables that torchrun sets: RANK and LOCAL_RANK from SLURM_PROCID and SLURM_LOCALID,
/// WORLD_SIZE, MASTER_ADDR and MASTER_PORT. Each ends at the time limit of SUITE on its own node, also where srun was killed.
process::Command srun_command(const SrunJob& job, const process::Command& suite, std::int64_t ranks, int port,
                              std::optional<int> cpu = std::nullopt);

/// One `srun` that starts PROGRAM once on each node behind the first one of those that JOB uses. Before each line stands its task: "0: "; the tasks have the order of
/// the nodes. BYTES of what each prints are kept.
process::Command srun_on_other_nodes(const SrunJob& job, const process::Command& program, std::size_t bytes);

/// The answer of ask_ranks() of ranks that srun starts: if one fails, its message is the same. What only this machine's kernel would know of them is
/// missing: their executable as it ran, peak memory, page faults. An error of srun itself begins with "srun: "; where no rank ran, status is not_started.
SuiteAnswer ask_ranks_by_srun(const SrunJob& job, const process::Command& command, std::int64_t ranks,
                              const std::filesystem::path& report_file);

}  // namespace torchgate::launch
