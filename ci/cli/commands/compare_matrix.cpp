// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/compare_matrix.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "ci/cli/commands/named_runs.hpp"
#include "ci/cli/present.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/judge.hpp"
#include "ci/workflow/workspace/spent_waivers.hpp"
#include "reports/matrix.hpp"

namespace torchgate::cli {
namespace {

using base::Error;
using base::ErrorCode;

base::Result<void> check_names(const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names)
    if (!known.insert(name).second)
      return Error{ErrorCode::bad_input, fmt::format("{}: named twice; each run is one column", name)};
  return {};
}

// Pairs have their own reference, measured in turns with them.
base::Result<reports::Matrix> matrix_of_pairs(const std::vector<std::string>& names,
                                              const workflow::Workspace& workspace, const policy::Policy& policy) {
  std::vector<reports::MatrixSource> sources;
  for (const std::string& name : names) {
    auto pairs = load_named(name, workspace, policy);
    if (!pairs) return pairs.error();
    if (pairs->sides.size() != 2)
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: a run, and {} is pairs; name runs alone, or pairs alone", name, names.front())};
    auto report = gate::judge_paired(*pairs, workflow::with_spent_waivers(policy, {&*pairs}, *pairs));
    if (!report) return report.error();
    sources.push_back({name, *std::move(report)});
  }
  return reports::matrix_of("before", sources);
}

base::Result<reports::Matrix> matrix_of_runs(const std::vector<std::string>& names, const JudgeAgainstFirst& judge) {
  std::vector<reports::MatrixSource> sources;
  for (std::size_t i = 1; i < names.size(); ++i) {
    auto report = judge(names[i]);
    if (!report) return report.error().within(names[i]);
    sources.push_back({names[i], *std::move(report)});
  }
  return reports::matrix_of(names.front(), sources);
}

}  // namespace

ExitCode compare_matrix(const std::vector<std::string>& names, const JudgeAgainstFirst& judge,
                        const workflow::Workspace& workspace, const policy::Policy& policy, const ShowFlags& show_flags,
                        const Console& console) {
  if (auto usable = check_show_flags<reports::Matrix>(show_flags); !usable) return console.fail(usable.error());
  if (auto valid = check_names(names); !valid) return console.fail(valid.error());
  const auto first = load_named(names.front(), workspace, policy);
  if (!first) return console.fail(first.error());
  if (const auto known = gate::check_vary(policy.vary, first->machine); !known) return console.fail(known.error());
  const auto matrix =
      first->sides.size() == 2 ? matrix_of_pairs(names, workspace, policy) : matrix_of_runs(names, judge);
  if (!matrix) return console.fail(matrix.error());
  const auto shown = show(*matrix, show_flags, console);
  return shown ? exit_code(matrix->outcome) : console.fail(shown.error());
}

}  // namespace torchgate::cli
