// SPDX-License-Identifier: Apache-2.0
// `ab --vary libtorch=VERSION_OR_DIR`: the same sources against two LibTorch versions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/build/libtorch_root.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

/// What `--vary` was given.
struct Varied {
  std::vector<std::string> facts;                              ///< names of facts
  std::optional<std::array<workflow::LibtorchRoot, 2>> roots;  ///< before, after; absent: "libtorch" has no value
};

/// Of the values of `--vary`. BUILDS_NAMED: by --before or --after. bad_input: an unknown fact, a LibTorch that is not installed, or one beside named
/// builds.
base::Result<Varied> varied_of(const std::vector<std::string>& vary, bool builds_named, const record::Machine& machine);

/// Adds it to PLAN, which has what resumed pairs were begun with.
void record_varied(const Varied& varied, bool resumed, record::Plan& plan);

/// A side of PAIRS was built in a work tree of torchgate's, which goes with the process that measures: `--resume` has nothing to run.
bool goes_with_its_work_tree(const record::Run& pairs);

/// The report of PAIRS as their plan has it: what differs on purpose, whether they inform, and the versions of LibTorch where the suites did
/// not record them (Google Benchmark programs). VARY: further facts that differ on purpose. Errors as of gate::judge_paired.
base::Result<reports::Report> report_as_planned(const record::Run& pairs, const std::vector<std::string>& vary,
                                                const policy::Policy& policy);

}  // namespace torchgate::cli
