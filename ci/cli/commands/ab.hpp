// SPDX-License-Identifier: Apache-2.0
// `ab` and `ab --pair-plan`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/console.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/measure/effort.hpp"

namespace torchgate::cli {

struct AbCommand {
  std::vector<std::string> before;    ///< paths, or one commit
  std::vector<std::string> after;     ///< the same
  std::optional<std::string> build;   ///< of a commit, or against a LibTorch
  std::vector<std::string> suites;    ///< what it builds, relative to the work tree or build folder
  std::optional<std::string> budget;  ///< as budget.hpp reads it
  std::vector<std::string> vary;      ///< facts that differ on purpose; "libtorch=VERSION_OR_DIR"
  bool gated = false;                 ///< --gate was given
  std::optional<std::string> plan;    ///< suspects to measure (gate --pair-plan) instead of before and after
  std::optional<std::string> shard;   ///< "2/4": with plan, only the pairs of this shard's groups
  std::optional<std::string> resume;  ///< unfinished pairs; empty: the only ones
  bool run_recorded_files = false;    ///< with plan and resume: what the records name, wherever they are from
  bool every_pair = false;            ///< do not stop when the answer is clear
  workflow::Effort measure;
  std::optional<std::string> save;
  ShowFlags show;
};

/// `ab --pair-plan`.
ExitCode ab_plan_command(const AbCommand& command, const policy::Policy& policy, const Console& console);

}  // namespace torchgate::cli
