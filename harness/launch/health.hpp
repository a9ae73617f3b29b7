// SPDX-License-Identifier: Apache-2.0
// Runs the doctor's checks before and after a run, and monitors the devices in between.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "harness/launch/request.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/machine/doctor/examine.hpp"
#include "harness/machine/doctor/gpu_watch.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

class HealthWatch {
 public:
  /// Checks the machine before the run starts anything. References must outlive this.
  HealthWatch(const machine::FactSources& sources, const Request& request);

  /// Writes the findings into the run, whose cases are known now: with CUDA cases it queries NVML and monitors the
  /// devices.
  void begin(record::Run& run);

  /// Writes the findings about the time of the run into it: checks and facts. CPU_BESIDE: of measured processes that are not children of this
  /// one; here it is not other load either.
  void finish(record::Run& run, const CpuOfNodes& cpu_beside = {});

 private:
  using NvmlResult = base::Result<std::shared_ptr<const machine::doctor::Nvml>>;

  [[nodiscard]] machine::doctor::Snapshot look() const;

  const machine::FactSources& sources_;
  const Request& request_;
  std::optional<NvmlResult> nvml_;
  machine::doctor::Asked asked_;
  machine::doctor::Snapshot before_;
  machine::doctor::Probes probes_;
  std::optional<machine::doctor::GpuWatch> watch_;
};

/// The OMP_NUM_THREADS of suites that are started with these variables.
std::int64_t threads_of(const machine::FactSources& sources);

}  // namespace torchgate::launch
