// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/build/commit_build.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <sstream>
#include <system_error>

#include "ci/git/run_git.hpp"
#include "ci/git/submodules.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/launch/listing.hpp"
#include "harness/process/process.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

constexpr std::size_t lines_shown = 20;  // enough for a compiler's first error and the last lines of make

// Where a build ended with less, it ended for want of space.
constexpr std::uintmax_t little_space = std::uintmax_t{4} << 20;

// "before (main, 1234567890ab)"
std::string shown(const NamedCommit& what) {
  const std::string hash = record::short_commit(what.commit);
  return what.commit.starts_with(what.name) ? fmt::format("{} ({})", what.label, hash)
                                            : fmt::format("{} ({}, {})", what.label, what.name, hash);
}

bool in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
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

base::Result<fs::path> log_file(const NamedCommit& what) {
  std::error_code error;
  const fs::path folder = fs::path(".torchgate") / "builds";
  fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::io, fmt::format("{}: {}", folder.string(), error.message())};
  return folder / fmt::format("{}-{}.log", what.label, record::short_commit(what.commit));
}

std::deque<std::string> last_lines(const fs::path& file) {
  std::deque<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    lines.push_back("  | " + line);
    if (lines.size() > lines_shown) lines.pop_front();
  }
  return lines;
}

std::string how_it_ended(const process::Outcome& outcome) {
  if (outcome.ending == process::Ending::not_started) return "cannot be started: " + outcome.error;
  if (outcome.signal) return fmt::format("was killed by signal {}", *outcome.signal);
  return fmt::format("ended with exit code {}", outcome.exit_code.value_or(-1));
}

// A linker that finds no space removes what it wrote, and a build folder may be on another disk than its compiler's temporary files: the
// disk, and what the last lines say.
bool for_want_of_space(const fs::path& tree, const std::deque<std::string>& lines) {
  std::error_code failed;
  const fs::space_info space = fs::space(tree, failed);
  return (!failed && space.available < little_space) ||
         std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line.find("No space left on device") != std::string::npos; });
}

base::Result<void> build(const NamedCommit& what, const BuildRecipe& recipe, const fs::path& tree, const fs::path& log,
                         Narrator& narrator) {
  process::Command command;
  command.executable = "/bin/sh";
  // One file for both streams keeps their order; the command is passed as the user wrote it.
  command.arguments = {"-c", R"(exec /bin/sh -c "$2" >"$1" 2>&1)", "sh", fs::absolute(log).string(),
                       command_in(recipe.command, tree)};
  command.environment = cache_environment(own_environment(), tree, in_path("ccache"));
  command.unset = git::repository_variables();
  command.working_directory = tree;
  narrator.note(fmt::format("building {}: {}", shown(what), recipe.command));
  const process::Outcome outcome = process::run_process(command);
  if (outcome.ending == process::Ending::interrupted)
    return Error{ErrorCode::interrupted, fmt::format("interrupted while building {}", shown(what))};
  if (outcome.ending == process::Ending::exited && outcome.exit_code == 0) {
    narrator.note(fmt::format("  built in {}; output: {}", duration_text(outcome.wall), log.string()));
    return {};
  }
  const std::deque<std::string> lines = last_lines(log);
  for (const std::string& line : lines) narrator.note(line);
  if (!outcome.tail.empty()) narrator.note(outcome.tail);
  if (for_want_of_space(tree, lines))
    return Error{ErrorCode::io, fmt::format("the build of {} failed: no space left on the disk; free some; output: {}",
                                            shown(what), log.string())};
  return Error{ErrorCode::bad_input, fmt::format("the build of {} failed: `{}` {}; full output: {}", shown(what),
                                                 recipe.command, how_it_ended(outcome), log.string())};
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

base::Result<std::vector<std::string>> built_suites(const NamedCommit& what, const BuildRecipe& recipe,
                                                    const fs::path& tree, const fs::path& log) {
  const auto none = [&](const std::string& why) {
    return Error{
        ErrorCode::bad_input,
        fmt::format(
            "{}: no suites after the build: {}; name them with --suites, relative to the work tree (build output: {})",
            shown(what), why, log.string())};
  };
  std::vector<std::string> suites;
  std::vector<fs::path> paths;
  for (const std::string& suite : recipe.suites) {
    const fs::path path = (tree / suite).lexically_normal();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return none(fmt::format("its work tree has no {}", suite));
    suites.push_back(path.string());
    paths.push_back(path);
  }
  const auto found = launch::find_suites(paths);
  if (!found && found.error().code != ErrorCode::bad_input) return found.error();
  if (!found) return none(fmt::format("{} contains no executable file", fmt::join(recipe.suites, ", ")));
  return suites;
}

}  // namespace

std::string command_in(const std::string& command, const fs::path& tree) {
  constexpr std::string_view place = "{dir}";
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+,:@%=";
  std::string path = tree.string();
  if (path.find_first_not_of(plain) != std::string::npos) {
    std::string quoted = "'";
    for (const char c : path) quoted += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    path = quoted + "'";
  }
  std::string result = command;
  for (std::size_t at = result.find(place); at != std::string::npos; at = result.find(place, at + path.size()))
    result.replace(at, place.size(), path);
  return result;
}

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
  const auto log = log_file(what);
  if (!log) return log.error();
  auto tree = git::WorkTree::add(repository, what.commit, folder);
  if (!tree) return tree.error();
  const auto empty = git::check_out_submodules(repository, tree->path());
  if (!empty) return empty.error().within("checking out the submodules of " + shown(what));
  if (!empty->empty()) narrator.note(empty_submodules(what, *empty));
  if (auto built = build(what, recipe, tree->path(), *log, narrator); !built)
    return empty->empty() ? built.error() : because_of_submodules(built.error(), what, *empty);
  auto suites = built_suites(what, recipe, tree->path(), *log);
  if (!suites) return suites.error();
  record::Source source{what.commit, std::nullopt, std::nullopt};
  if (const auto there = git::Repository::open(tree->path())) {
    if (const auto head = there->head()) source = {head->commit, head->modified, head->branch};
  }
  return BuiltCommit{std::move(*tree), std::move(*suites), std::move(source)};
}

}  // namespace torchgate::workflow
