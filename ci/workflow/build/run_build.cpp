// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/build/run_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <fstream>
#include <string_view>
#include <system_error>

#include "ci/git/run_git.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/launch/listing.hpp"
#include "harness/process/process.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

constexpr std::size_t lines_shown = 20;  // enough for a compiler's first error and the last lines of make

// Where a build ended with less, it ended for want of space.
constexpr std::uintmax_t little_space = std::uintmax_t{4} << 20;

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

}  // namespace

base::Result<void> run_build(const BuildStep& step, Narrator& narrator) {
  process::Command command;
  command.executable = "/bin/sh";
  // One file for both streams keeps their order; the command is passed as the user wrote it.
  command.arguments = {"-c", R"(exec /bin/sh -c "$2" >"$1" 2>&1)", "sh", fs::absolute(step.log).string(),
                       command_in(step.command, step.dir)};
  command.environment = step.environment;
  command.unset = git::repository_variables();
  command.working_directory = step.working_directory;
  narrator.note(fmt::format("building {}: {}", step.what, step.command));
  const process::Outcome outcome = process::run_process(command);
  if (outcome.ending == process::Ending::interrupted)
    return Error{ErrorCode::interrupted, fmt::format("interrupted while building {}", step.what)};
  if (outcome.ending == process::Ending::exited && outcome.exit_code == 0) {
    narrator.note(fmt::format("  built in {}; output: {}", duration_text(outcome.wall), step.log.string()));
    return {};
  }
  const std::deque<std::string> lines = last_lines(step.log);
  for (const std::string& line : lines) narrator.note(line);
  if (!outcome.tail.empty()) narrator.note(outcome.tail);
  if (for_want_of_space(step.dir, lines))
    return Error{ErrorCode::io, fmt::format("the build of {} failed: no space left on the disk; free some; output: {}",
                                            step.what, step.log.string())};
  return Error{ErrorCode::bad_input, fmt::format("the build of {} failed: `{}` {}; full output: {}", step.what,
                                                 step.command, how_it_ended(outcome), step.log.string())};
}

base::Result<fs::path> build_log(const std::string& name) {
  std::error_code error;
  const fs::path folder = fs::path(".torchgate") / "builds";
  base::create_folders(folder, error);
  if (error) return Error{ErrorCode::io, fmt::format("{}: {}", folder.string(), error.message())};
  return folder / (name + ".log");
}

base::Result<std::vector<std::string>> built_suites(const BuildStep& step, const std::vector<std::string>& suites,
                                                    const std::string& kind_of_dir) {
  const auto none = [&](const std::string& why) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: no suites after the build: {}; name them with --suites, relative to the {} (build "
                             "output: {})",
                             step.what, why, kind_of_dir, step.log.string())};
  };
  std::vector<std::string> built;
  std::vector<fs::path> paths;
  for (const std::string& suite : suites) {
    const fs::path path = (step.dir / suite).lexically_normal();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return none(fmt::format("its {} has no {}", kind_of_dir, suite));
    built.push_back(path.string());
    paths.push_back(path);
  }
  const auto found = launch::find_suites(paths);
  if (!found && found.error().code != ErrorCode::bad_input) return found.error();
  if (!found) return none(fmt::format("{} contains no executable file", fmt::join(suites, ", ")));
  return built;
}

namespace {

// PATH as a word of a shell, or as a part of a word between quotes: QUOTE is the one that is open, or 0.
std::string path_in(const std::string& path, char quote) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+,:@%=";
  if (path.find_first_not_of(plain) == std::string::npos) return path;
  std::string quoted;
  for (const char c : path) {
    if (quote != '"' && c == '\'') {
      quoted += R"('\'')";
      continue;
    }
    if (quote == '"' && std::string_view("\\\"$`").find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quote == 0 ? "'" + quoted + "'" : quoted;
}

}  // namespace

std::string command_in(const std::string& command, const fs::path& dir) {
  constexpr std::string_view place = "{dir}";
  std::string result;
  char quote = 0;
  for (std::size_t at = 0; at < command.size(); ++at) {
    if (std::string_view(command).substr(at).starts_with(place)) {
      result += path_in(dir.string(), quote);
      at += place.size() - 1;
      continue;
    }
    const char c = command[at];
    result += c;
    const bool escapes = c == '\\' && quote != '\'' && at + 1 < command.size();
    if (escapes && std::string_view("\\\"'").find(command[at + 1]) != std::string_view::npos) {
      result += command[++at];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    }
  }
  return result;
}

}  // namespace torchgate::workflow
