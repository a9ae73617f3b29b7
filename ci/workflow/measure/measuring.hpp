// SPDX-License-Identifier: Apache-2.0
// Makes a request to measure from effort and policy, and measures it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/pairs/pair_rounds.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "ci/workflow/workspace/run_log.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// The commit of the working directory, and whether it is modified; unknown outside a repository.
record::Source source_here();

/// Why the commit of the working directory is unknown although it is in a repository: git is missing, or refuses ("dubious
/// ownership"). Absent: it is known, or there is no repository.
std::optional<std::string> source_unknown_because();

/// This machine as a run with SETTINGS records it: the host key contains their thread count, not that of the
/// calling shell.
record::Machine machine_here(const policy::Run& settings);

/// A request without sides: plan, limits, threads, seed.
launch::Request request(const Effort& effort, const policy::Policy& policy);

launch::SideRequest side(const std::string& label, const std::vector<std::string>& suites, record::Source source);

/// Records in the workspace that a user named the suites of REQUEST, so that `compare` may measure them again.
void remember_suites(const launch::Request& request, Narrator& narrator);

/// Lets ROUNDS say which groups of PAIRS get the next pair.
void choose_by(gate::PairRounds rounds, launch::Request& pairs);

/// Runs the request, with its progress to NARRATOR, and to LOG if there is one. Ctrl-C is an Error (interrupted) only when nothing was
/// measured.
base::Result<record::Run> measure(const launch::Request& request, Narrator& narrator, RunLog* log = nullptr);

}  // namespace torchgate::workflow
