// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/judged_run.hpp"

#include <fmt/format.h>

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

}  // namespace torchgate::cli
