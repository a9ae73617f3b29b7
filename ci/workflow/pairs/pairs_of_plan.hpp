// SPDX-License-Identifier: Apache-2.0
// Checks that pairs measured by another job follow their plan exactly, without a missing or an additional process.
#pragma once

#include "ci/policy/policy.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// The runs that the pairs confirm, as they were recorded.
struct ConfirmedRuns {
  const record::Run& baseline;
  const record::Run& current;
};

/// Checks that the cases of PAIRS are those of PLAN, measured with the protocol, inputs, metric and device of CURRENT,
/// on its host, from the commits of both runs; that every process appears once, in its place of the schedule that
/// follows from PLAN's seed (group, pair, side, order, seed); and that every group has all its pairs, up to the last
/// one of the plan or the one that decided it by POLICY's rule. Of pairs merged from shards each shard followed the schedule of its own
/// groups; those of missing shards have no pairs. Where POLICY is the base branch's and wants it, the instructions of
/// open cases were counted, or the record says why not. Interrupted pairs are refused. bad_input names the
/// first difference; no_verdict: they were measured on another machine than CURRENT.
base::Result<void> check_measured_as_planned(const record::Run& pairs, const PairPlanFile& plan,
                                             const ConfirmedRuns& runs, const policy::Policy& policy);

}  // namespace torchgate::workflow
