// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ci/cli/commands/commands.hpp"
#include "ci/workflow/version.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/import/import.hpp"

namespace torchgate::cli {
namespace {

std::int64_t failures(const record::Run& run) {
  std::int64_t count = 0;
  for (const record::Process& process : run.processes) {
    count += std::count_if(process.cases.begin(), process.cases.end(),
                           [](const auto& result) { return result.status == record::CaseStatus::failed; });
  }
  return count;
}

}  // namespace

ExitCode import_command(const ImportCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto valid = workflow::check_save_name(command.save); !valid) return console.fail(valid.error());
  auto run = import::import_run({command.files.begin(), command.files.end()}, workflow::version,
                                workflow::directions_of(policy));
  if (!run) return console.fail(run.error());
  const auto path = workflow::Workspace().save(*run, command.save);
  if (!path) return console.fail(path.error());
  for (const std::string& warning : run->warnings) console.warn(warning);
  console.out << fmt::format("{}: {} of {}", path->string(), base::counted(run->cases.size(), "case", "cases"),
                             base::counted(run->processes.size(), "process", "processes"));
  if (const auto failed = failures(*run); failed > 0)
    console.out << fmt::format(", {} failed", base::counted(failed, "result", "results"));
  console.out << '\n';
  return ExitCode::ok;
}

}  // namespace torchgate::cli
