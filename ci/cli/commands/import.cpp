// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "ci/cli/command_table.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/workflow/version.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/import/import.hpp"

namespace torchgate::cli {
namespace {

struct ImportCommand {
  std::vector<std::string> files;
  std::optional<std::string> save;
};

std::int64_t failures(const record::Run& run) {
  std::int64_t count = 0;
  for (const record::Process& process : run.processes) {
    count += std::count_if(process.cases.begin(), process.cases.end(),
                           [](const auto& result) { return result.status == record::CaseStatus::failed; });
  }
  return count;
}

// `compare` and `gate` take the files of a side as one list.
base::Result<void> check_no_lists(const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files) {
    const std::size_t comma = file.find(',');
    if (comma == std::string::npos || std::filesystem::exists(file, ignored)) continue;
    if (!std::filesystem::exists(file.substr(0, comma), ignored)) continue;
    return base::Error{base::ErrorCode::not_found,
                       file + ": no such file; name the files of one side with spaces between them, not commas"};
  }
  return {};
}

ExitCode import_command(const ImportCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto valid = workflow::check_save_name(command.save); !valid) return console.fail(valid.error());
  if (auto separate = check_no_lists(command.files); !separate) return console.fail(separate.error());
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

}  // namespace

Invocation define_import(Options& options) {
  const auto command = std::make_shared<ImportCommand>();
  options
      .add("files FILE...", &command->files,
           "Result files of one side, one file per process where the tool has one process per file: Google "
           "Benchmark (JSON, CSV), NVBench, Go benchmarks, pytest-benchmark, pyperf, hyperfine, Catch2 (XML, "
           "console), Criterion (files or the folder target/criterion), github-action-benchmark; recognised by "
           "their content")
      .required();
  save_option(options, command->save);
  better_option(options);
  return invocation(command, import_command);
}

}  // namespace torchgate::cli
