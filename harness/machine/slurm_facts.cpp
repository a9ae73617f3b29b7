// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/slurm_facts.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace torchgate::machine {
namespace {

using record::FactClass;
using record::MachineFact;
using Environment = std::map<std::string, std::string>;

std::optional<std::string> variable(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  if (found == environment.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

MachineFact known(const char* name, std::string value) {
  return {name, std::move(value), "", FactClass::info};
}

MachineFact of_variable(const char* name, const Environment& environment, const std::string& from) {
  auto value = variable(environment, from);
  if (!value) return {name, std::nullopt, from + " is not set in this job of Slurm", FactClass::info};
  return known(name, *std::move(value));
}

/// As Slurm's own tools name it: a task of an array has a job number of its own, which they do not show.
std::string job_name(const Environment& environment, const std::string& job) {
  const auto array = variable(environment, "SLURM_ARRAY_JOB_ID");
  const auto task = variable(environment, "SLURM_ARRAY_TASK_ID");
  return array && task ? *array + "_" + *task : job;
}

/// "0-3,8" of ascending numbers.
std::string list_text(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
    if (last > first) text += "-" + std::to_string(cpus[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace

std::vector<MachineFact> slurm_facts(const Environment& environment, const std::vector<int>& cpus) {
  const auto job = variable(environment, "SLURM_JOB_ID");
  if (!job) return {};
  std::vector<MachineFact> facts{
      known("slurm_job", job_name(environment, *job)),
      // Slurm sets it from the first restart on.
      known("slurm_attempt", variable(environment, "SLURM_RESTART_COUNT").value_or("0")),
      of_variable("slurm_node", environment, "SLURMD_NODENAME"),
      of_variable("slurm_partition", environment, "SLURM_JOB_PARTITION"),
      of_variable("slurm_cpus", environment, "SLURM_CPUS_ON_NODE"),
      cpus.empty() ? MachineFact{"slurm_cpu_list", std::nullopt, "the affinity mask is unknown", FactClass::info}
                   : known("slurm_cpu_list", list_text(cpus)),
  };
  if (variable(environment, "SLURM_JOB_GPUS"))
    facts.push_back(of_variable("slurm_gpus", environment, "SLURM_JOB_GPUS"));
  return facts;
}

}  // namespace torchgate::machine
