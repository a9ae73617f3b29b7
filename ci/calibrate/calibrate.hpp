// SPDX-License-Identifier: Apache-2.0
// Runs of the same build, one after the other: what the differences between them say about the machine.
#pragma once

#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/record/calibration.hpp"
#include "harness/record/run.hpp"

namespace torchgate::calibrate {

/// Two runs have only one difference, which does not give a spread.
inline constexpr std::size_t fewest_calibration_runs = record::fewest_calibrated_runs;

struct CalibrationRequest {
  std::vector<const record::Run*> runs;  ///< in the order measured
  double run_cost_s = 30;                ///< what a run costs before its first process: the start of a CI job
  std::string created;
  std::string tool_version;
};

/// bad_input: fewer than three runs, or runs that do not repeat one measurement (repetitions.hpp).
base::Result<record::Calibration> calibrate(const CalibrationRequest& request, const policy::Policy& policy);

}  // namespace torchgate::calibrate
