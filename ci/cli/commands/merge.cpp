// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "ci/cli/command_table.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/launch/shards/merge_shards.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> files;
  std::optional<std::string> save;
};

ExitCode merge_command(const MergeCommand& command, const Console& console) {
  if (auto valid = workflow::check_save_name(command.save); !valid) return console.fail(valid.error());
  const workflow::Workspace workspace;
  std::vector<launch::ShardFile> shards;
  for (const std::string& file : command.files) {
    auto run = workspace.load(file, "measure a shard with `torchgate run` or `torchgate ab` and --shard I/N");
    if (!run) return console.fail(run.error());
    shards.push_back({file, std::move(run).value()});
  }
  auto merged = launch::merge_shards(std::move(shards));
  if (!merged) return console.fail(merged.error());
  const auto path = workspace.save(*merged, command.save);
  if (!path) return console.fail(path.error());
  for (const std::string& warning : merged->warnings) console.warn(warning);
  console.out << fmt::format("{}: {} of {} from {} of {}\n", path->string(),
                             base::counted(merged->cases.size(), "case", "cases"),
                             base::counted(merged->processes.size(), "process", "processes"), command.files.size(),
                             base::counted(merged->plan.division.size(), "shard", "shards"));
  if (const facts::Fact why = gate::incomplete_because(*merged); !why.empty()) {
    const facts::Fact what = gate::missing_shards(merged->plan);
    console.err << "torchgate: " << reports::one_line((what.empty() ? why : facts::incomplete(what)).words()) << '\n';
    return ExitCode::no_verdict;
  }
  return ExitCode::ok;
}

}  // namespace

Invocation define_merge(Options& options) {
  const auto command = std::make_shared<MergeCommand>();
  options.add("files FILE...", &command->files, "Shards: names, files or ids, in any order").required();
  save_option(options, command->save);
  options.footer(
      "Exit codes: 0 complete; 2 the files are not shards of one run; 3 shards are missing, or a suite did not "
      "list its cases (the rest is kept but never passes), or they were measured on different hosts.");
  return invocation(command, merge_command);
}

}  // namespace torchgate::cli
