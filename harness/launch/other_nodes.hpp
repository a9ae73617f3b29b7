// SPDX-License-Identifier: Apache-2.0
// The other nodes of a job of Slurm on which ranks run: the rows of `torchgate doctor` there are part of the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/launch/request.hpp"
#include "harness/launch/srun.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

class OtherNodes {
 public:
  /// Those behind the first one of JOB on which it starts ranks; without them this does nothing. JOB must outlive this.
  OtherNodes(const std::optional<SrunJob>& job, const Request& request);

  /// Asks all of them at once, and writes into RUN, which has the checks of this machine: of each check the worst of all nodes, which nodes were
  /// asked, and a warning where one gave no answer. no_verdict: one is of another type than this machine.
  base::Result<void> begin(record::Run& run);

  /// The same about the time of the run, and the settings that changed in it. CPU: of measured processes.
  void finish(record::Run& run, const CpuOfNodes& cpu);

 private:
  using Answers = std::vector<base::Result<record::Machine>>;  // of the nodes behind the first one

  [[nodiscard]] Answers ask() const;
  [[nodiscard]] std::string name_of(std::size_t other) const;
  void add_worse(record::MachineChecks rows, std::size_t other, const record::Machine& machine,
                 record::MachineChecks& worst) const;
  void warn(std::size_t other, const std::string& when, const base::Error& error, record::Run& run) const;

  const std::optional<SrunJob>& job_;
  process::Command doctor_;
  Answers before_;
};

}  // namespace torchgate::launch
