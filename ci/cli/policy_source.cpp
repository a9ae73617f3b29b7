// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/policy_source.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>

#include "ci/gate/policy_changes.hpp"
#include "ci/git/file_at.hpp"
#include "ci/git/repository.hpp"
#include "harness/record/atomic_file.hpp"

namespace torchgate::cli {
namespace {

using gate::Policy;
using record::Error;
using record::ErrorCode;
using record::Result;
namespace fs = std::filesystem;

constexpr std::int64_t largest_file = 4 << 20;
constexpr std::size_t commit_digits = 12;

// Where policy files are read from: the working tree, or a commit. `read` answers with nothing for a file that is not there.
struct Tree {
  std::function<Result<std::optional<std::string>>(const fs::path&)> read;
  fs::path top;  // no folder above it is looked at
};

Result<std::optional<std::string>> read_from_disk(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored) || fs::is_directory(file, ignored)) return std::optional<std::string>();
  auto text = record::read_file(file, largest_file);
  if (!text) return text.error();
  return std::optional(std::move(text).value());
}

Tree working_tree() {
  return {read_from_disk, fs::path("/")};
}

Tree tree_of(const git::Repository& repository, const std::string& commit) {
  const auto read = [repository, commit](const fs::path& file) -> Result<std::optional<std::string>> {
    const fs::path inside = file.lexically_normal().lexically_relative(repository.root());
    // Outside of the repository is nothing that a change of it could alter.
    if (inside.empty() || *inside.begin() == "..") return read_from_disk(file);
    return git::file_at(repository, commit, inside);
  };
  return {read, repository.root()};
}

// Where we are, as git names it: without links.
fs::path here() {
  std::error_code ignored;
  const fs::path canonical = fs::canonical(".", ignored);
  return canonical.empty() ? fs::absolute(".", ignored).lexically_normal() : canonical;
}

Result<void> apply_nearest_file(Policy& policy, const Tree& tree) {
  for (fs::path folder = here();; folder = folder.parent_path()) {
    const fs::path file = folder / "torchgate.toml";
    const auto text = tree.read(file);
    if (!text) return text.error();
    if (*text) return gate::apply_policy_text(policy, **text, file);
    if (folder == tree.top || folder == folder.parent_path()) return {};
  }
}

Result<void> apply_file(Policy& policy, const Tree& tree, const std::optional<std::string>& named) {
  if (!named) return apply_nearest_file(policy, tree);
  const fs::path file = (here() / *named).lexically_normal();
  const auto text = tree.read(file);
  if (!text) return text.error();
  if (!*text) return Error{ErrorCode::bad_input, fmt::format("--config {}: there is no such file", *named)};
  return gate::apply_policy_text(policy, **text, file);
}

Result<void> load_waivers(Policy& policy, const Tree& tree) {
  const fs::path file = (here() / policy.waivers_file).lexically_normal();
  const auto text = tree.read(file);
  if (!text) return text.error();
  if (!*text) {
    if (file.filename() == gate::default_waivers_file) return {};
    return Error{ErrorCode::bad_input, fmt::format("gate.waivers names {}, and there is no such file", file.string())};
  }
  auto waivers = gate::parse_waivers(**text, file);
  if (!waivers) return waivers.error();
  policy.waivers = std::move(waivers).value();
  return {};
}

Result<Policy> read_policy(const Tree& tree, const Arguments& arguments) {
  Policy policy;
  if (auto applied = apply_file(policy, tree, arguments.policy_file); !applied) return applied.error();
  if (auto applied = gate::apply_policy_environment(policy); !applied) return applied.error();
  for (const auto& [key, text] : arguments.policy) {
    if (auto set = gate::set_policy(policy, key, text, "command line"); !set) return set.error();
  }
  if (auto loaded = load_waivers(policy, tree); !loaded) return loaded.error();
  return policy;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Base {
  git::Repository repository;
  std::string commit;
};

// The first of the names that is a commit here; the last one's error when none is.
Result<Base> base_at(const std::vector<std::string>& names) {
  auto repository = git::Repository::open(".");
  if (!repository) return repository.error();
  Error error{ErrorCode::not_found, "no commit is known as the base"};
  for (const std::string& name : names) {
    const auto commit = repository->resolve(name);
    if (commit) return Base{*repository, *commit};
    error = commit.error();
  }
  return error;
}

// The commits that may be the base of a pull request, the best first; empty when this is none.
std::vector<std::string> bases_of_pull_request() {
  const std::string branch = variable("GITHUB_BASE_REF");
  const bool said = !branch.empty() || variable("GITHUB_EVENT_NAME").starts_with("pull_request");
  std::vector<std::string> names;
  // First what the change cannot have made: its own head may be a merge commit with any first parent.
  if (!branch.empty()) names.push_back("origin/" + branch);
  if (const auto repository = git::Repository::open(".")) {
    const auto target = repository->merge_target();
    const auto head = target && *target && !said ? repository->head() : Result<git::Head>(git::Head{});
    // Somebody who merges at a desk is on a branch, and may well be about to change the policy.
    if (target && *target && (said || (head && !head->branch))) names.push_back(**target);
  }
  if (!branch.empty()) names.push_back(branch);
  if (said && names.empty()) names.emplace_back("HEAD^1");
  return names;
}

bool judges(const Command& command) {
  return std::holds_alternative<GateCommand>(command) || std::holds_alternative<CompareCommand>(command) ||
         std::holds_alternative<AbCommand>(command);
}

Result<Policy> policy_of_base(const Base& base, const Arguments& arguments) {
  auto theirs = read_policy(tree_of(base.repository, base.commit), arguments);
  if (!theirs) return theirs.error();
  const std::string commit = base.commit.substr(0, commit_digits);
  const auto own = read_policy(working_tree(), arguments);
  if (!own) {
    theirs->doubts.push_back(fmt::format("this change's policy cannot be read ({}): judged by the base branch's ({})",
                                         own.error().message, commit));
  } else if (const std::string changes = gate::policy_changes(*theirs, *own); !changes.empty()) {
    theirs->doubts.push_back(
        fmt::format("this change alters the policy ({}): judged by the base branch's ({})", changes, commit));
  } else {
    theirs->notes.push_back(fmt::format("policy: the base branch's ({})", commit));
  }
  return theirs;
}

Result<Policy> choose_policy(const Arguments& arguments) {
  if (!judges(arguments.command)) return read_policy(working_tree(), arguments);
  if (arguments.policy_from) {
    const auto base = base_at({*arguments.policy_from});
    if (!base) return base.error().within("--policy-from");
    return policy_of_base(*base, arguments);
  }
  const auto names = bases_of_pull_request();
  if (names.empty()) return read_policy(working_tree(), arguments);
  const auto base = base_at(names);
  auto policy = base ? policy_of_base(*base, arguments) : Result<Policy>(base.error());
  if (policy) return policy;
  const std::string why = policy.error().message;
  policy = read_policy(working_tree(), arguments);
  if (policy)
    policy->doubts.push_back(
        fmt::format("the base branch's policy could not be read ({}): judged by this change's own; fetch the history "
                    "(fetch-depth: 0)",
                    why));
  return policy;
}

}  // namespace

Result<Policy> load_policy(const Arguments& arguments) {
  auto policy = choose_policy(arguments);
  if (policy) {
    policy->today =
        std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  }
  return policy;
}

}  // namespace torchgate::cli
