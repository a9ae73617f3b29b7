// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/build/rebuild_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ci/workflow/measure/measuring.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

base::Result<void> check_cases(const launch::SideRequest& side, const std::vector<std::string>& cases,
                               const launch::Request& plan) {
  launch::Request question = plan;
  question.sides = {side};
  question.only_cases = cases;
  const auto there = launch::forecast(question);
  if (!there) return there.error().within("the suites of the rebuilt baseline");
  for (const std::string& name : cases) {
    const auto found = std::find_if(there->cases.begin(), there->cases.end(),
                                    [&](const record::Case& definition) { return definition.name == name; });
    if (found != there->cases.end() && !found->skipped) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("the rebuilt baseline lacks the case {}, so it cannot replace the recorded one", name)};
  }
  return {};
}

}  // namespace

std::string rebuilt_sentence(const std::string& commit) {
  return fmt::format("the baseline was rebuilt from commit {} for the pairs; its binaries are not the recorded ones",
                     record::short_commit(commit));
}

base::Result<RebuiltBaseline> rebuild_baseline(const record::Run& baseline, const Error& gone,
                                               const std::vector<std::string>& cases, const launch::Request& plan,
                                               const policy::Baseline& settings, const policy::Run& run,
                                               Narrator& narrator) {
  const auto not_possible = [&](const std::string& why) {
    return Error{ErrorCode::not_found, fmt::format("{}; {}", gone.message, why)};
  };
  if (settings.build.empty()) {
    return not_possible("set baseline.build in torchgate.toml, or give --build, to rebuild the baseline's commit");
  }
  const record::Source& source = baseline.sides.front().source;
  if (!source.commit) return not_possible("it cannot be rebuilt, because it names no commit");
  if (source.modified.value_or(true)) {
    return not_possible("it cannot be rebuilt, because its work tree was modified");
  }
  const auto repository = git::Repository::open(".");
  if (!repository) return repository.error();
  const auto shallow = repository->is_shallow();
  if (!shallow) return shallow.error();
  if (*shallow && !repository->has_commit(*source.commit)) {
    return not_possible(
        fmt::format("its commit {} cannot be rebuilt, because this clone is shallow; use `git fetch "
                    "--unshallow`, or fetch-depth: 0 in actions/checkout",
                    record::short_commit(*source.commit)));
  }
  const auto commit = repository->resolve(*source.commit);
  if (!commit) return commit.error().within("rebuilding the baseline's commit");
  auto suites = suites_in_work_tree(settings.build_suites, run, *repository);
  if (!suites) return suites.error().within("baseline.suites");
  auto folder = BuildFolder::take(".torchgate", *repository);
  if (!folder) return folder.error();
  narrator.note(fmt::format("the baseline's binaries are missing ({}); rebuilding its commit", gone.message));
  auto built = build_commit(*repository, {"baseline", *commit, *commit}, {settings.build, std::move(*suites), true},
                            folder->path() / "old", narrator);
  if (!built) return built.error();
  launch::SideRequest before = side("before", built->suites, built->source);
  if (auto checked = check_cases(before, cases, plan); !checked) return checked.error();
  return RebuiltBaseline{std::move(*folder), std::move(*built), std::move(before), *commit};
}

}  // namespace torchgate::workflow
