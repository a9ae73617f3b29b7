// SPDX-License-Identifier: Apache-2.0
// One git command, started directly: no shell, no pager, no prompt, no hooks, no lock on the user's index.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/process.hpp"

namespace torchgate::git {

struct GitAnswer {
  int exit_code = 0;
  std::string output;  ///< stdout and stderr as they came; the last `output_limit_bytes` of them
};

/// 100 000 hashes of 40 digits and their newlines; a commit with the longest message anybody ever wrote.
inline constexpr std::size_t output_limit_bytes = 4'100'000;

struct GitOptions {
  /// A work tree on a slow network file system needs seconds to be looked at; git never needs minutes for an answer
  /// unless it waits for something.
  std::chrono::minutes time_limit{2};
  bool cleans_up = false;  ///< runs although the program was asked to stop
  /// Added to the environment of this process, also one of repository_variables(). For secrets: other users cannot read it.
  std::vector<record::Parameter> environment = {};
  /// When not empty: stdout goes into this new file, at most process::output_limit_bytes of it; `output` is stderr.
  std::filesystem::path output_file = {};
  std::optional<std::uint64_t> file_limit_bytes = {};  ///< as of process::Command
};

/// Runs git in FOLDER. not_found: no git in PATH, or no such folder; io: it was killed or ran into its time limit;
/// interrupted: we were. A non-zero exit is an answer, not an error.
base::Result<GitAnswer> run_git(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                                const GitOptions& options = {});

/// Variables by which git would look at another repository than the one in its folder: a git hook sets them.
const std::vector<std::string>& repository_variables();

/// "git failed in FOLDER while DOING: its own words". Where git refuses the folder because another user owns it (safe.directory), that and what to do.
base::Error failure(const std::filesystem::path& folder, const std::string& doing, const GitAnswer& answer,
                    base::ErrorCode code);

}  // namespace torchgate::git
