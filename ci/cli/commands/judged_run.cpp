// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/judged_run.hpp"

#include <fmt/format.h>

#include "ci/cli/present.hpp"
#include "ci/workflow/identical_pairs.hpp"
#include "ci/workflow/last_report.hpp"
#include "ci/workflow/report_histories.hpp"
#include "harness/import/import.hpp"

namespace torchgate::cli {

base::Result<record::Run> judged_run(const GateCommand& command, const workflow::Workspace& workspace) {
  auto run = command.run ? workspace.load(*command.run) : workspace.newest();
  if (!run || !command.commit || run->sides.front().source.commit == *command.commit) return run;
  return base::Error{base::ErrorCode::bad_input,
                     fmt::format("run {}: of commit {}, expected {} (--commit); measure that commit", run->id,
                                 run->sides.front().source.commit.value_or("(unknown)"), *command.commit)};
}

bool is_imported(const record::Run& run) {
  return run.plan.profile == import::imported_profile;
}

ExitCode present_judged(reports::Report report, const std::optional<record::Run>& pairs, const GateCommand& command,
                        const policy::Policy& policy, const Console& console) {
  if (pairs && !command.pairs_from) {
    if (const auto kept = workflow::remember_identical_pairs(*pairs, policy.alpha, report); !kept)
      console.warn(kept.error().message);
  }
  if (const auto kept = workflow::keep_last_report(report); !kept) console.warn(kept.error().message);
  if (wants_page(command.show)) workflow::add_histories(report, policy);
  return present(report, command.show, console);
}

}  // namespace torchgate::cli
