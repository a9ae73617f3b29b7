// SPDX-License-Identifier: Apache-2.0
// Whether the run of a change was measured with less than the branch it goes into asks for: fewer processes, shorter limits. A
// job that measures runs the change's code and follows its files, so what it recorded is compared with the policy that judges it.
#pragma once

#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// "run.processes 1 instead of 5", for each number of RUN that is smaller than POLICY asks for and smaller than in each of
/// STORED, too: flags and variables of the job that measures are not part of the policy, and hold for the stored runs as well.
/// Another number of threads, and another allocator, than all of these is the same: such times are of another host. Empty STORED:
/// POLICY alone. What a record does not have is not compared.
facts::Facts weaker_than(const record::Run& run, const std::vector<const record::Run*>& stored,
                         const policy::Run& policy);

/// One for each of profile, --warmup and --samples that is another one in RUN than in one of STORED: their times are not those of the same calls. Nothing
/// of results of other tools, which have none of them.
facts::Facts other_settings(const record::Run& run, const std::vector<const record::Run*>& stored);

/// Makes of weaker_than() what gate.weaker_run says: a failure of the report, a doubt or a note. Nothing unless POLICY is that of the base
/// branch (Policy::of_base). With nothing stored, nothing was compared and nothing is hidden: a doubt at most.
void judge_how_measured(const record::Run& run, const std::vector<const record::Run*>& stored,
                        const policy::Policy& policy, reports::Report& report);

}  // namespace torchgate::gate
