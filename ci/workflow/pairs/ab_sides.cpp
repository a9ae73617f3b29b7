// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/ab_sides.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "ci/workflow/measure/measuring.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

struct Wanted {
  std::string label;
  std::vector<std::string> paths;
  std::optional<NamedCommit> commit;  // instead of paths
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string no_commit_in(const git::Repository& repository) {
  const auto shallow = repository.is_shallow();
  if (!shallow || !*shallow) return "no commit of that name";
  return "no commit of that name in this clone, which is shallow: older commits and other branches are missing; use "
         "`git fetch "
         "--unshallow`, or fetch-depth: 0 in actions/checkout";
}

base::Result<Wanted> wanted(const std::string& label, const std::vector<std::string>& values,
                            const base::Result<git::Repository>& repository, Narrator& narrator) {
  Wanted side{label, {}, std::nullopt};
  for (const std::string& value : values) {
    const auto commit = repository ? repository->resolve(value) : base::Result<std::string>(repository.error());
    if (exists(value)) {
      if (commit) {
        narrator.note(fmt::format(
            "--{} {} names both a path and a commit; using the path (use the hash or refs/heads/{} for the commit)",
            label, value, value));
      }
      side.paths.push_back(value);
    } else if (!commit) {
      const std::string why = repository ? no_commit_in(*repository) : repository.error().message;
      return Error{ErrorCode::bad_input,
                   fmt::format("--{} {}: neither an existing path nor a commit ({})", label, value, why)};
    } else {
      side.commit = NamedCommit{label, value, *commit};
    }
  }
  if (side.commit && values.size() != 1) {
    return Error{ErrorCode::bad_input,
                 fmt::format("--{}: expected one commit, or only paths ({} is a commit)", label, side.commit->name)};
  }
  return side;
}

base::Result<void> check_build(const std::array<Wanted, 2>& both, const AbChoice& choice) {
  for (const Wanted& side : both) {
    if (side.commit && !choice.build) {
      return Error{ErrorCode::bad_input, fmt::format("--{} {} is a commit; give the command that builds its suites, "
                                                     "such as --build \"cmake -B build && cmake --build build\"",
                                                     side.label, side.commit->name)};
    }
  }
  const bool any = both[0].commit || both[1].commit;
  if (!any && (choice.build || !choice.suites.empty())) {
    return Error{ErrorCode::bad_input,
                 "--build and --suites apply to commits only, but --before and --after both name existing paths"};
  }
  return {};
}

void mention_uncommitted(const std::array<Wanted, 2>& both, const git::Repository& repository, Narrator& narrator) {
  const auto head = repository.head();
  if (!head || !head->modified) return;
  for (const Wanted& side : both) {
    if (!side.commit || side.commit->commit != head->commit) continue;
    narrator.note(fmt::format("--{} {}: this checkout has changes that are not committed; they are not measured",
                              side.label, side.commit->name));
  }
}

}  // namespace

base::Result<AbSides> prepare_sides(const AbChoice& choice, const policy::Run& policy, Narrator& narrator) {
  const auto repository = git::Repository::open(".");
  auto before = wanted("before", choice.before, repository, narrator);
  if (!before) return before.error();
  auto after = wanted("after", choice.after, repository, narrator);
  if (!after) return after.error();
  const std::array<Wanted, 2> both{*before, *after};
  if (auto checked = check_build(both, choice); !checked) return checked.error();

  AbSides result;
  BuildRecipe recipe;
  if (both[0].commit || both[1].commit) {
    auto suites = suites_in_work_tree(choice.suites, policy, *repository);
    if (!suites) return suites.error();
    mention_uncommitted(both, *repository, narrator);
    recipe = {*choice.build, std::move(*suites), choice.suites.empty()};
    auto folder = BuildFolder::take(".torchgate", *repository);
    if (!folder) return folder.error();
    result.folder.emplace(std::move(*folder));
  }
  // Names of equal length: a program's path is on its stack, so a longer path moves what follows and can change timings
  // (Mytkowicz et al., ASPLOS 2009).
  const std::array<const char*, 2> folders{"old", "new"};
  for (std::size_t i = 0; i < both.size(); ++i) {
    const Wanted& one = both[i];
    if (!one.commit) {
      result.sides.push_back(side(one.label, one.paths, {}));
      continue;
    }
    auto built = build_commit(*repository, *one.commit, recipe, result.folder->path() / folders[i], narrator);
    if (!built) return built.error();
    result.sides.push_back(side(one.label, built->suites, built->source));
    result.built.push_back(std::move(*built));
  }
  return result;
}

}  // namespace torchgate::workflow
