// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/build/commit_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <utility>

#include "ci/git/file_at.hpp"
#include "ci/git/submodules.hpp"
#include "ci/workflow/build/run_build.hpp"
#include "harness/base/some_of.hpp"
#include "harness/process/in_path.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

// "before (main, 1234567890ab)"
std::string shown(const NamedCommit& what) {
  const std::string hash = record::short_commit(what.commit);
  return what.commit.starts_with(what.name) ? fmt::format("{} ({})", what.label, hash)
                                            : fmt::format("{} ({}, {})", what.label, what.name, hash);
}

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t end = text.find('=');
    if (end != std::string::npos) all.emplace(text.substr(0, end), text.substr(end + 1));
  }
  return all;
}

std::string empty_submodules(const NamedCommit& what, const std::vector<std::string>& paths) {
  constexpr std::size_t most_named = 3;
  return fmt::format(
      "submodules of {} are not checked out in its work tree, because this one has none of them at that commit: {}; "
      "use `git "
      "submodule update --init --recursive` here, or begin the build command with it",
      shown(what), base::some_of(paths, most_named));
}

Error because_of_submodules(Error error, const NamedCommit& what, const std::vector<std::string>& paths) {
  error.message += "; " + empty_submodules(what, paths);
  return error;
}

// run.suites of COMMIT's torchgate.toml for this folder, relative to a work tree. Empty: it has none that can be read here.
std::vector<std::string> suites_of_commit(const git::Repository& repository, const std::string& commit) {
  const fs::path root = fs::weakly_canonical(repository.root());
  for (fs::path folder = fs::weakly_canonical(fs::absolute(".")).lexically_relative(root);;
       folder = folder.parent_path()) {
    const fs::path file = (folder / "torchgate.toml").lexically_normal();
    const auto text = git::file_at(repository, commit, file);
    if (!text) return {};
    if (*text) {
      policy::Policy own;
      if (!policy::apply_policy_text(own, **text, root / file)) return {};
      auto suites = suites_in_work_tree({}, own, repository);
      return suites ? *std::move(suites) : std::vector<std::string>();
    }
    if (folder.empty() || folder == ".") return {};
  }
}

base::Result<std::vector<std::string>> suites_of_build(const git::Repository& repository, const NamedCommit& what,
                                                       const BuildRecipe& recipe, const BuildStep& step,
                                                       Narrator& narrator) {
  auto suites = built_suites(step, recipe.suites, "work tree");
  if (suites || suites.error().code != ErrorCode::bad_input || !recipe.own_suites) return suites;
  const std::vector<std::string> own = suites_of_commit(repository, what.commit);
  if (own.empty() || own == recipe.suites) return suites;
  auto others = built_suites(step, own, "work tree");
  if (!others) return suites;
  narrator.note(
      fmt::format("{}: its suites are in {} (run.suites of its torchgate.toml)", shown(what), fmt::join(own, ", ")));
  return others;
}

}  // namespace

std::vector<record::Parameter> cache_environment(const std::map<std::string, std::string>& ours, const fs::path& tree,
                                                 bool has_ccache) {
  std::vector<record::Parameter> all;
  const auto set = [&](const char* name, const std::string& value) {
    if (ours.count(name) == 0) all.push_back({name, value});
  };
  // ccache hashes paths below CCACHE_BASEDIR as relative paths, so that files of another work tree match. The user's
  // value is kept if the work tree is below it.
  const auto base = ours.find("CCACHE_BASEDIR");
  if (base == ours.end() || base->second.empty() || !tree.string().starts_with(base->second))
    all.push_back({"CCACHE_BASEDIR", tree.string()});
  set("CCACHE_NOHASHDIR", "1");
  if (has_ccache) {
    for (const char* name : {"CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER"}) set(name, "ccache");
  }
  return all;
}

base::Result<std::vector<std::string>> suites_in_work_tree(const std::vector<std::string>& suites,
                                                           const policy::Run& policy,
                                                           const git::Repository& repository) {
  const auto inside = [](const fs::path& path) {
    return !path.empty() && path.is_relative() && *path.lexically_normal().begin() != "..";
  };
  std::vector<std::string> result;
  for (const std::string& suite : suites) {
    if (!inside(suite)) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: not inside the work tree; name suites by their path relative to it", suite)};
    }
    result.push_back(suite);
  }
  if (!result.empty()) return result;
  const fs::path root = fs::weakly_canonical(repository.root());
  for (const std::string& suite : policy.suites) {
    const fs::path path = fs::weakly_canonical(fs::absolute(suite)).lexically_relative(root);
    if (!inside(path)) {
      return Error{
          ErrorCode::bad_input,
          fmt::format(
              "run.suites: {} is outside of {}; name the suites of a commit with --suites, relative to its work tree",
              suite, root.string())};
    }
    result.push_back(path.string());
  }
  if (result.empty()) {
    return Error{ErrorCode::bad_input,
                 "the suites of a commit are unknown; name them with --suites, relative to the work tree, or set "
                 "run.suites in torchgate.toml"};
  }
  return result;
}

base::Result<BuiltCommit> build_commit(const git::Repository& repository, const NamedCommit& what,
                                       const BuildRecipe& recipe, const fs::path& folder, Narrator& narrator) {
  auto log = build_log(fmt::format("{}-{}", what.label, record::short_commit(what.commit)));
  if (!log) return log.error();
  auto tree = git::WorkTree::add(repository, what.commit, folder);
  if (!tree) return tree.error();
  const auto empty = git::check_out_submodules(repository, tree->path());
  if (!empty) return empty.error().within("checking out the submodules of " + shown(what));
  if (!empty->empty()) narrator.note(empty_submodules(what, *empty));
  const BuildStep step{shown(what),
                       recipe.command,
                       tree->path(),
                       tree->path(),
                       cache_environment(own_environment(), tree->path(), process::in_path("ccache").has_value()),
                       *std::move(log)};
  if (auto built = run_build(step, narrator); !built)
    return empty->empty() ? built.error() : because_of_submodules(built.error(), what, *empty);
  auto suites = suites_of_build(repository, what, recipe, step, narrator);
  if (!suites) return suites.error();
  record::Source source{what.commit, std::nullopt, std::nullopt};
  if (const auto there = git::Repository::open(tree->path())) {
    if (const auto head = there->head()) source = {head->commit, head->modified, head->branch};
  }
  return BuiltCommit{std::move(*tree), std::move(*suites), std::move(source)};
}

}  // namespace torchgate::workflow
