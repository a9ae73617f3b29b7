// SPDX-License-Identifier: Apache-2.0
#include "ci/git/run_git.hpp"

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/process/process.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

constexpr std::size_t quoted_bytes = 2000;

std::optional<fs::path> find_git() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / "git";
    std::error_code failed;
    // A relative entry of PATH would mean another git in every folder.
    if (candidate.is_absolute() && fs::is_regular_file(candidate, failed) && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& repository_variables() {
  static const std::vector<std::string> names = {"GIT_DIR",    "GIT_WORK_TREE", "GIT_INDEX_FILE",      "GIT_COMMON_DIR",
                                                 "GIT_PREFIX", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY"};
  return names;
}

base::Result<GitAnswer> run_git(const fs::path& folder, const std::vector<std::string>& arguments,
                                const GitOptions& options) {
  const auto git = find_git();
  if (!git) {
    return Error{ErrorCode::not_found, "git is needed to know which commit " + folder.string() +
                                           " is at, but no folder of PATH has it: install git"};
  }
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return Error{ErrorCode::not_found, "no such folder: " + folder.string()};

  process::Command command;
  command.executable = *git;
  command.arguments = {"--no-pager", "-c", "core.hooksPath=/dev/null"};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.working_directory = folder;
  command.environment = {{"GIT_OPTIONAL_LOCKS", "0"}, {"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C"}};
  command.environment.insert(command.environment.end(), options.environment.begin(), options.environment.end());
  command.unset = repository_variables();
  command.output_file = options.output_file;
  command.file_limit_bytes = options.file_limit_bytes;
  command.time_limit = options.time_limit;
  command.cleans_up = options.cleans_up;
  command.tail_bytes = output_limit_bytes;
  command.may_leave_processes = true;  // its own housekeeping in the background, which is best not killed half done
  auto outcome = process::run_process(command);

  const std::string what = "git " + arguments.front() + " in " + folder.string();
  switch (outcome.ending) {
    case process::Ending::exited:
      return GitAnswer{outcome.exit_code.value_or(-1), std::move(outcome.tail)};
    case process::Ending::interrupted:
      return Error{ErrorCode::interrupted, what + " was interrupted"};
    case process::Ending::abandoned:  // only of processes that work together
    case process::Ending::timed_out:
      return Error{ErrorCode::io,
                   what + " did not answer within " + std::to_string(options.time_limit.count()) + " minutes"};
    case process::Ending::signalled:
      return Error{ErrorCode::io, what + " was killed by signal " + std::to_string(outcome.signal.value_or(0))};
    case process::Ending::not_started:
      break;
  }
  return Error{ErrorCode::io, git->string() + " cannot be started: " + outcome.error};
}

namespace {

/// "fatal: detected dubious ownership in repository at '/w'": of which repository; empty: that is not what git said.
std::string repository_of_another_user(std::string_view words) {
  constexpr std::string_view phrase = "detected dubious ownership in repository at '";
  const std::size_t found = words.find(phrase);
  if (found == std::string_view::npos) return "";
  words.remove_prefix(found + phrase.size());
  return std::string(words.substr(0, words.find("'\n")));
}

}  // namespace

Error failure(const fs::path& folder, const std::string& doing, const GitAnswer& answer, ErrorCode code) {
  std::string words = answer.output.substr(0, quoted_bytes);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  if (const std::string path = repository_of_another_user(answer.output); !path.empty()) {
    return {
        code,
        "dubious ownership: the repository " + path +
            " belongs to another user than the one that runs torchgate, so git refuses it; run `git config --global "
            "--add safe.directory " +
            path + "`, or change its owner (usual in containers of CI)"};
  }
  return {code, "git failed in " + folder.string() + " while " + doing + " (exit code " +
                    std::to_string(answer.exit_code) + "): " + words};
}

}  // namespace torchgate::git
