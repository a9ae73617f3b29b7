// SPDX-License-Identifier: Apache-2.0
// Pairs that another job measured: whether they are exactly what their plan asks for, no process more and none less.
#pragma once

#include "ci/policy/policy.hpp"
#include "ci/workflow/suspect_plan.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// The runs that the pairs confirm, as they were recorded.
struct ConfirmedRuns {
  const record::Run& baseline;
  const record::Run& current;
};

/// The cases of PAIRS are those of PLAN and were measured as CURRENT measured them (protocol, inputs, metric, device), on
/// its host, from the commits of both runs. Every process stands in the place of the schedule that PLAN's seed gives it
/// (group, pair, side, order, seed), once; every group has all its pairs, up to the last one of the plan or the one after
/// which POLICY's rule had its answer. Interrupted pairs are refused. bad_input names the first difference.
base::Result<void> check_measured_as_planned(const record::Run& pairs, const SuspectPlan& plan,
                                             const ConfirmedRuns& runs, const policy::Policy& policy);

}  // namespace torchgate::workflow
