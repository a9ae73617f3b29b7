// SPDX-License-Identifier: Apache-2.0
// One git command, started directly: no shell, no pager, no prompt, no lock on the user's index.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/result.hpp"

namespace torchgate::git {

struct GitAnswer {
  int exit_code = 0;
  std::string output;  ///< stdout and stderr as they came; the last `output_limit_bytes` of them
};

/// 100 000 hashes of 40 digits and their newlines; a commit with the longest message anybody ever wrote.
inline constexpr std::size_t output_limit_bytes = 4'100'000;

/// Runs git in FOLDER. not_found: no git in PATH, or no such folder; io: it was killed or ran for more than two
/// minutes; interrupted: we were. A non-zero exit is an answer, not an error.
record::Result<GitAnswer> run_git(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// "git failed in FOLDER while DOING: its own words".
record::Error failure(const std::filesystem::path& folder, const std::string& doing, const GitAnswer& answer,
                      record::ErrorCode code);

}  // namespace torchgate::git
