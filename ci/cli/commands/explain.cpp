// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/explain/explain.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/import/programs.hpp"

namespace torchgate::cli {
namespace {

struct ExplainCommand {
  std::string case_name;
  std::optional<std::string> before;  ///< absent: the newest pairs of the case, or the newest run against its baseline
  std::optional<std::string> after;   ///< absent: both sides of the run `before`
  ShowFlags show;
};

base::Result<reports::Explanation> explain_both(const record::Run& before, const record::Run& after,
                                                const std::string& case_name, const workflow::Workspace& workspace) {
  const auto pairs = workspace.pairs_of(before.id, after.id);
  return gate::explain_case(before, &after, case_name, pairs ? &*pairs : nullptr);
}

// Pairs that no run came before, or that came after it, are what was judged last. Those that confirm the run belong to it.
bool are_newer(const record::Run& pairs, const base::Result<record::Run>& current) {
  if (!current) return true;
  return pairs.created > current->created && !(pairs.plan.confirms && pairs.plan.confirms->run == current->id);
}

// What the gate compared the case with: a nearer run may have left it out.
const record::Run& nearest_with_case(const std::vector<record::Run>& baseline, const std::string& case_name) {
  const auto has_case = [&](const record::Run& run) {
    return std::any_of(run.processes.begin(), run.processes.end(), [&](const record::Process& process) {
      return process.status == record::ProcessStatus::ok &&
             std::any_of(process.cases.begin(), process.cases.end(), [&](const record::CaseResult& result) {
               return result.name == case_name && result.status == record::CaseStatus::ok;
             });
    });
  };
  const auto found = std::find_if(baseline.begin(), baseline.end(), has_case);
  return found == baseline.end() ? baseline.front() : *found;
}

// Without names: the newest pairs of the case, or the newest run against what `gate` would judge it against, whichever came last.
base::Result<reports::Explanation> explain_newest(const std::string& case_name, const workflow::Workspace& workspace,
                                                  const policy::Policy& policy) {
  auto current = workspace.newest();
  const auto pairs = workspace.newest_pairs(case_name);
  if (!pairs) return pairs.error();
  if (*pairs && are_newer(**pairs, current)) return gate::explain_case(**pairs, nullptr, case_name);
  if (!current) return current.error();
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) {
    return store.error().within(
        "explaining the newest run needs a baseline (or name two runs: torchgate explain CASE BEFORE AFTER)");
  }
  auto baseline = workflow::choose_baseline(**store, *current);
  if (!baseline) return baseline.error();
  std::vector<record::Run*> judged{&*current};
  for (record::Run& run : baseline->runs) judged.push_back(&run);
  import::align_names(judged);  // the names of its report
  return explain_both(nearest_with_case(baseline->runs, case_name), *current, case_name, workspace);
}

base::Result<reports::Explanation> explain(const ExplainCommand& command, const policy::Policy& policy) {
  const workflow::Workspace workspace(policy);
  if (!command.before) return explain_newest(command.case_name, workspace, policy);
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  const baselines::Store* const stored = store ? store->get() : nullptr;
  auto before = workflow::load_anywhere(*command.before, workspace, stored);
  if (!before) return before.error();
  if (!command.after) return gate::explain_case(*before, nullptr, command.case_name);
  auto after = workflow::load_anywhere(*command.after, workspace, stored);
  if (!after) return after.error();
  import::align_names(std::array{&*before, &*after});  // the names of their report
  return explain_both(*before, *after, command.case_name, workspace);
}

ExitCode explain_command(const ExplainCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::Explanation>(command.show); !usable) return console.fail(usable.error());
  const auto explanation = explain(command, policy);
  if (!explanation) return console.fail(explanation.error());
  const auto shown = show(*explanation, command.show, console);
  return shown ? ExitCode::ok : console.fail(shown.error());
}

}  // namespace

Invocation define_explain(Options& options) {
  const auto command = std::make_shared<ExplainCommand>();
  options.add("case", &command->case_name, "Full case name").required();
  options.add("before", &command->before,
              "A run, or pairs saved by `ab` (default: the newest pairs, or the newest run and its baseline)");
  options.add("after", &command->after, "A second run (default: both sides of BEFORE, if it contains pairs)");
  store_option(options);
  show_options<reports::Explanation>(options, command->show, "the result", "List every operator");
  keep_inputs(options, command->show, [command] {
    std::vector<std::string> runs;
    if (command->before) runs.push_back(*command->before);
    if (command->after) runs.push_back(*command->after);
    return runs;
  });
  options.footer(
      "Exit codes: 0 shown, whatever the change is; 2 usage, bad input, internal error; 3 nothing to compare with (no "
      "baseline, another host).");
  return invocation(command, explain_command);
}

}  // namespace torchgate::cli
