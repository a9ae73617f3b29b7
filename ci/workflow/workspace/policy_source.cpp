// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/policy_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>

#include "ci/git/file_at.hpp"
#include "ci/git/remote.hpp"
#include "ci/git/repository.hpp"
#include "ci/git/tracked_files.hpp"
#include "ci/policy/policy_changes.hpp"
#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using policy::Policy;
namespace fs = std::filesystem;

constexpr std::int64_t largest_file = 4 << 20;

// Where policy files are read from: the working tree, or a commit. `read` returns nullopt for a missing file.
struct Tree {
  std::function<Result<std::optional<std::string>>(const fs::path&, base::Links)> read;
  fs::path top;  // folders above it are not searched
};

Result<std::optional<std::string>> read_from_disk(const fs::path& file, base::Links links) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(file, ignored)) || fs::is_directory(file, ignored))
    return std::optional<std::string>();
  auto text = base::read_file(file, largest_file, links);
  if (!text) return text.error();
  return std::optional(std::move(text).value());
}

Tree working_tree() {
  return {read_from_disk, fs::path("/")};
}

Tree tree_of(const git::Repository& repository, const std::string& commit) {
  const auto read = [repository, commit](const fs::path& file,
                                         base::Links links) -> Result<std::optional<std::string>> {
    const fs::path inside = file.lexically_normal().lexically_relative(repository.root());
    // A change of the repository cannot alter files outside of it.
    if (inside.empty() || *inside.begin() == "..") return read_from_disk(file, links);
    return git::file_at(repository, commit, inside);
  };
  return {read, repository.root()};
}

// The working directory as git names it: without symbolic links.
fs::path here() {
  std::error_code ignored;
  const fs::path canonical = fs::canonical(".", ignored);
  return canonical.empty() ? fs::absolute(".", ignored).lexically_normal() : canonical;
}

Result<void> apply_nearest_file(Policy& policy, const Tree& tree) {
  for (fs::path folder = here();; folder = folder.parent_path()) {
    const fs::path file = folder / "torchgate.toml";
    const auto text = tree.read(file, base::Links::refused);
    if (!text) return text.error();
    if (*text) {
      auto applied = policy::apply_policy_text(policy, **text, file);
      // As if the default were written in the file: otherwise a command in a subfolder has another store than one beside the file.
      if (applied && folder != here() && policy.store == Policy{}.store)
        policy.store = (folder / policy.store).string();
      return applied;
    }
    if (folder == tree.top || folder == folder.parent_path()) return {};
  }
}

Result<void> apply_file(Policy& policy, const Tree& tree, const std::optional<std::string>& named) {
  if (!named) return apply_nearest_file(policy, tree);
  const fs::path file = (here() / *named).lexically_normal();
  const auto text = tree.read(file, base::Links::followed);
  if (!text) return text.error();
  if (!*text) return Error{ErrorCode::bad_input, fmt::format("--config {}: no such file", *named)};
  return policy::apply_policy_text(policy, **text, file);
}

Result<void> load_waivers(Policy& policy, const Tree& tree) {
  const fs::path file = (here() / policy.waivers_file).lexically_normal();
  const auto text = tree.read(file, base::Links::refused);
  if (!text) return text.error();
  if (!*text) {
    if (file.filename() == policy::default_waivers_file) return {};
    return Error{ErrorCode::bad_input, fmt::format("gate.waivers: {}: no such file", file.string())};
  }
  auto waivers = policy::parse_waivers(**text, file);
  if (!waivers) return waivers.error();
  policy.waivers = std::move(waivers).value();
  return {};
}

Result<Policy> read_policy(const Tree& tree, const PolicyChoice& choice) {
  Policy policy;
  if (auto applied = apply_file(policy, tree, choice.file); !applied) return applied.error();
  if (auto applied = policy::apply_policy_environment(policy); !applied) return applied.error();
  for (const auto& [key, text] : choice.settings) {
    if (auto set = policy::set_policy(policy, key, text, "command line"); !set) return set.error();
  }
  policy.better_asked = std::any_of(choice.settings.begin(), choice.settings.end(),
                                    [](const auto& setting) { return setting.first == "import.better"; });
  if (auto loaded = load_waivers(policy, tree); !loaded) return loaded.error();
  return policy;
}

struct Base {
  git::Repository repository;
  std::string commit;
};

constexpr const char* how_to_fetch =
    "fetch the whole history (fetch-depth: 0 in actions/checkout, GIT_DEPTH: 0 in GitLab), or name the commit with "
    "--policy-from";

// The commit whose policy judges PULL. Only the remote-tracking branch or the commit that the CI system names is used:
// anyone may create a tag or a branch of that name, and the author of a change chooses the first parent of a merge
// commit.
Result<Base> base_of(const PullRequest& pull) {
  auto repository = git::Repository::open(".");
  if (!repository) return repository.error();
  const std::string reference = "refs/remotes/origin/" + pull.branch;
  if (!pull.branch.empty()) {
    if (const auto commit = repository->resolve_reference(reference)) return Base{*repository, *commit};
  }
  if (repository->has_commit(pull.base_commit)) return Base{*repository, pull.base_commit};
  if (pull.branch.empty() && pull.base_commit.empty())
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is not set; name the base with --policy-from", pull.branch_from)};
  return Error{
      ErrorCode::bad_input,
      fmt::format("{}{}{} is not in this clone; {}", pull.branch.empty() ? "" : reference,
                  pull.branch.empty() || pull.base_commit.empty() ? "" : ", nor ", pull.base_commit, how_to_fetch)};
}

// The first parent of a detached merge commit, as CI systems check a pull request out; absent if HEAD is not one. A
// merge on a local branch is not a pull request, and may change the policy. IS_MERGE is set as soon as it is known to be one.
Result<std::optional<Base>> base_of_merge_commit(bool& is_merge) {
  const auto enclosing = git::enclosing_repository(".");
  if (!enclosing) return enclosing.error();
  if (!*enclosing) return std::optional<Base>();
  const git::Repository& repository = **enclosing;
  const auto target = repository.merge_target();
  if (!target || !*target) return std::optional<Base>();
  const auto head = repository.head();
  if (!head) return head.error();
  if (head->branch) return std::optional<Base>();
  is_merge = true;
  if (repository.has_commit(**target)) return std::optional(Base{repository, **target});
  return Error{ErrorCode::bad_input,
               fmt::format("commit {} is not in this clone; {}", record::short_commit(**target), how_to_fetch)};
}

// The files of the change: those of the working tree, or of HEAD where nothing is checked out, as in a job that only judges.
Result<Tree> tree_of_change(const git::Repository& repository) {
  std::error_code ignored;
  if (fs::exists(repository.root() / ".git" / "index", ignored) ||
      !fs::is_directory(repository.root() / ".git", ignored))
    return working_tree();
  const auto head = repository.head();
  if (!head) return head.error();
  return tree_of(repository, head->commit);
}

// A change may add a suite, and move one. What it no longer names is measured as long as it exists; the gate names the cases of
// what does not.
void join_suites(const std::vector<std::string>& own, Policy& theirs) {
  const auto named = [&](const std::string& suite) { return std::find(own.begin(), own.end(), suite) != own.end(); };
  std::vector<std::string> gone;
  std::error_code ignored;
  for (const std::string& suite : theirs.suites)
    if (!named(suite) && !fs::exists(suite, ignored)) gone.push_back(suite);
  for (const std::string& suite : gone) {
    std::erase(theirs.suites, suite);
    theirs.doubts.push_back(fmt::format(
        "run.suites of the base branch has {}, which this change removes: its cases are not measured", suite));
  }
  for (const std::string& suite : own)
    if (std::find(theirs.suites.begin(), theirs.suites.end(), suite) == theirs.suites.end())
      theirs.suites.push_back(suite);
}

Result<Policy> policy_of_base(const Base& base, const PolicyChoice& choice) {
  auto theirs = read_policy(tree_of(base.repository, base.commit), choice);
  if (!theirs) return theirs.error();
  theirs->of_base = true;
  const std::string commit = record::short_commit(base.commit);
  const auto changed = tree_of_change(base.repository);
  if (!changed) return changed.error();
  const auto own = read_policy(*changed, choice);
  if (!own) {
    theirs->doubts.push_back(fmt::format("this change's policy cannot be read ({}): judged by the base branch's ({})",
                                         own.error().message, commit));
  } else if (const std::string changes = policy::policy_changes(*theirs, *own); !changes.empty()) {
    theirs->doubts.push_back(
        fmt::format("this change alters the policy ({}): judged by the base branch's ({}); it applies after the merge",
                    changes, commit));
  } else {
    theirs->notes.push_back(fmt::format("policy: the base branch's ({})", commit));
  }
  if (choice.measures && own) join_suites(own->suites, *theirs);
  return theirs;
}

// Without a repository there must not be a policy file either: it may be that of the change, and its base is unknown.
Result<Policy> policy_without_files(const PolicyChoice& choice) {
  const auto no_file = [](const fs::path&, base::Links) { return Result<std::optional<std::string>>(std::nullopt); };
  const Tree nothing{no_file, fs::path("/")};
  auto without = read_policy(nothing, choice);
  const auto with = read_policy(working_tree(), choice);
  if (without && with && *without == *with) {
    without->of_base = true;
    return without;
  }
  return Error{ErrorCode::bad_input,
               "torchgate.toml and its waivers are read from the base branch, and there is no git "
               "repository here; check the repository out with its history (fetch-depth: 0)"};
}

// Without git it is unknown whether HEAD is that of a pull request. Measuring continues: judging reads the plan of the run.
Result<Policy> without_git(const Error& why, const PolicyChoice& choice) {
  constexpr const char* unknown =
      "torchgate.toml is read from the base branch of a pull request, and whether this is one cannot be determined";
  if (!choice.measures || why.code == ErrorCode::interrupted) return why.within(unknown);
  auto policy = read_policy(working_tree(), choice);
  if (policy) policy->doubts.push_back(fmt::format("{}: {}", unknown, why.message));
  return policy;
}

Result<Policy> choose_policy(const PolicyChoice& choice) {
  if (!choice.judges) return read_policy(working_tree(), choice);
  if (choice.from) {
    const auto repository = git::Repository::open(".");
    if (!repository) return repository.error().within("--policy-from");
    const auto commit = repository->resolve(*choice.from);
    if (!commit) return commit.error().within("--policy-from");
    return policy_of_base({*repository, *commit}, choice);
  }
  const auto never_its_own = [](const Error& error, const std::string& says) {
    return Error{error.code == ErrorCode::interrupted ? error.code : ErrorCode::bad_input, error.message}.within(
        "the policy of the base branch cannot be read (" + says + "), and a change is never judged by its own");
  };
  if (const auto pull = pull_request(git::environment_variable)) {
    const std::string says = "a pull request in " + pull->system;
    const auto repository = git::enclosing_repository(".");
    if (!repository) return never_its_own(repository.error(), says);
    const auto base = *repository ? base_of(*pull) : Result<Base>(Error{});
    if (*repository && !base) return never_its_own(base.error(), says);
    auto policy = *repository ? policy_of_base(*base, choice) : policy_without_files(choice);
    return policy ? policy : never_its_own(policy.error(), says);
  }
  bool is_merge = false;
  const auto base = base_of_merge_commit(is_merge);
  const std::string says = "HEAD is a detached merge commit, as of a pull request";
  if (!base && !is_merge) return without_git(base.error(), choice);
  if (!base) return never_its_own(base.error(), says);
  if (!*base) return read_policy(working_tree(), choice);
  auto policy = policy_of_base(**base, choice);
  return policy ? policy : never_its_own(policy.error(), says);
}

// What the file itself records: the head of a pull request is not the commit that was measured for it, its merge.
std::string accepted_for(const std::vector<policy::Waiver>& waivers) {
  std::set<std::string> commits;
  for (const policy::Waiver& waiver : waivers)
    if (waiver.commit) commits.insert(base::shown(record::short_commit(*waiver.commit)));
  constexpr std::size_t most_commits = 3;
  return commits.empty() ? "for this commit" : "accepted for commit " + base::some_of(commits, most_commits);
}

// Later files win, and all of them over the policy's own.
Result<void> add_waiver_files(Policy& policy, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const auto text = base::read_file(file, largest_file, base::Links::refused);
    if (!text) return Error{ErrorCode::bad_input, text.error().message}.within("--waivers");
    auto waivers = policy::parse_waivers(*text, file);
    if (!waivers) return waivers.error().within("--waivers");
    for (policy::Waiver& waiver : *waivers) waiver.one_commit = true;
    policy::replace_waivers(policy.waivers, *waivers);
    policy.notes.push_back(fmt::format("--waivers {}: {} {}", file, base::counted(waivers->size(), "waiver", "waivers"),
                                       accepted_for(*waivers)));
  }
  return {};
}

}  // namespace

Result<Policy> load_policy(const PolicyChoice& choice) {
  auto policy = choose_policy(choice);
  if (policy) {
    if (auto added = add_waiver_files(*policy, choice.waiver_files); !added) return added.error();
    policy->today =
        std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  }
  return policy;
}

}  // namespace torchgate::workflow
