// SPDX-License-Identifier: Apache-2.0
// Which job of Slurm a run was measured in, where, and on which of the node's CPUs and GPUs: as Slurm tells its jobs in their environment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::machine {

/// Facts of class info, so that two nodes of one type stay one machine: slurm_job ("4711", a task of an array "4700_3"), slurm_attempt
/// (restarts before this one), slurm_node, slurm_partition, slurm_cpus (allocated on the node), slurm_cpu_list (those that this process may run
/// on: "0-3,8") and, if the job has some, slurm_gpus. None outside of a job; in one, a variable that is missing is unknown.
std::vector<record::MachineFact> slurm_facts(const std::map<std::string, std::string>& environment,
                                             const std::vector<int>& cpus);

}  // namespace torchgate::machine
