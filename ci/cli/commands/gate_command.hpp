// SPDX-License-Identifier: Apache-2.0
// The flags of `gate`, and its three ways.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/console.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/measure/effort.hpp"

namespace torchgate::cli {

struct GateCommand {
  std::optional<std::string> run;  ///< absent: the newest run in the workspace
  bool now = false;  ///< measure pairs from the start instead of judging a run; implied by what to measure
  std::vector<std::string> suites;  ///< of pairs from the start; empty: run.suites
  workflow::Effort measure;         ///< the same; its seed is `seed`
  std::optional<std::string> save;  ///< name of the pairs, or of the run that is made instead of them
  std::string
      no_pairs_from_start;  ///< why a run was made although pairs from the start were asked for; empty: they were not
  std::optional<std::string> since;   ///< a pin: judge the change since its commit instead
  std::vector<std::string> against;   ///< runs' names, files or ids, the nearest first; empty: chosen by commit
  bool common_only = false;           ///< with against: leave out cases that one side alone has
  std::optional<std::string> commit;  ///< the run must be of it
  std::optional<std::string> head;    ///< what that one merges, where it is a merge made for a test
  std::optional<std::uint64_t> seed;
  std::optional<std::string> suspects;       ///< write there what to confirm, and confirm nothing
  std::optional<std::string> pairs_from;     ///< judge these pairs, and measure nothing
  std::optional<std::string> without_pairs;  ///< why there are none: judge by stored times alone, and never pass for it
  std::optional<std::string> baseline_of;    ///< a pair plan: judge against its baseline
  bool skip_own_commit = false;              ///< never compare with an earlier run of the same commit
  bool run_recorded_files = false;           ///< what the runs name, wherever they are from
  bool measure_unchanged = false;            ///< judge groups, too, that are the same by content in both runs
  ShowFlags show;

  /// A flag says what to measure: pairs from the start.
  [[nodiscard]] bool measures() const {
    const workflow::Effort standard;
    return now || !suites.empty() || measure.filter != standard.filter || measure.profile != standard.profile ||
           measure.instructions || measure.warmup_calls || measure.samples;
  }
};

ExitCode gate_command(const GateCommand& command, const policy::Policy& policy, const Console& console);
/// `gate --suite`: pairs from the start.
ExitCode gate_now_command(const GateCommand& command, const policy::Policy& policy, const Console& console);
/// `gate --since`.
ExitCode gate_since_command(const GateCommand& command, const policy::Policy& policy, const Console& console);

}  // namespace torchgate::cli
