// SPDX-License-Identifier: Apache-2.0
// What is looked at after interleaved pairs, and becomes part of their record: the code of cases whose times differ, and the instructions of those that
// they leave open.
#pragma once

#include <chrono>

#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Looks at what the pairs of RUN leave open or call changed, as far as POLICY asks for it. REQUEST is the one that measured RUN, and its files are still
/// there.
///  - Cases that they call slower or faster: RUN.code says whether their code differs (gate.compare_code).
///  - Cases that they leave open: RUN.instructions, both sides in two processes each, and in five where it would be a regression; first those that
///    look slower (gate.count_undecided). Where times are not judged, nothing. LEAST: see time_for_counts().
/// What cannot be known, or not in time, has the reason in the record: the same for all without Valgrind and without a counter of the CPU. Stopping it
/// leaves an interrupted run.
void follow_up(const launch::Request& request, const policy::Judging& policy, record::Run& run, Narrator& narrator,
               std::chrono::seconds least = {});

/// What the budget of the pairs in RUN leaves for counting: the share that was kept for it (policy::counting_share), and what the pairs did not
/// use, but at least LEAST; without a budget of time ten minutes. Never more than what is left of the run's own limit.
std::chrono::nanoseconds time_for_counts(const record::Run& run, std::chrono::seconds least = {});

}  // namespace torchgate::workflow
