// SPDX-License-Identifier: Apache-2.0
// Instructions of the cases that interleaved pairs leave open: counted after them, and part of their record.
#pragma once

#include <chrono>

#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Fills in RUN.instructions for the cases that its pairs leave open under POLICY (gate::cases_to_count), both sides in two processes each, and in five where it
/// would be a regression: first those that look slower. REQUEST is the one that measured RUN, and its files are still there. A case that cannot be counted, or not in time
/// (time_for_counts()), has the reason in the record: the same for all without Valgrind and without a counter of the CPU. Nothing is done where
/// the policy does not ask for it (gate.count_undecided), or judges no times. Stopping it leaves an interrupted run.
void count_undecided(const launch::Request& request, const policy::Judging& policy, record::Run& run,
                     Narrator& narrator);

/// What the budget of the pairs in RUN leaves for counting: the share that was kept for it (policy::counting_share), and what the pairs did not
/// use; without a budget of time ten minutes. Never more than what is left of the run's own limit.
std::chrono::nanoseconds time_for_counts(const record::Run& run);

}  // namespace torchgate::workflow
