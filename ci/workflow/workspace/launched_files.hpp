// SPDX-License-Identifier: Apache-2.0
// The files that torchgate launched from this workspace, by path and content: .torchgate/launched. A record can name
// any program; only files in this list are run again from their recorded path.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/journal.hpp"

namespace torchgate::workflow {

/// PATH as an absolute path, without ".." and without a trailing slash.
std::string place_of(const std::filesystem::path& path);

/// The list as a file of lines: "<sha256>  <absolute path>" for a launched file, "suites  <absolute path>" for a path
/// that a user named as suites (command line or policy). It is append-only, with one writer at a time; an incomplete
/// line of a killed writer is ignored. Listed programs may be run, so a list that another user could write is not read.
class LaunchedFiles {
 public:
  /// Reads FILE. The list is empty if FILE is missing or writable by other users.
  explicit LaunchedFiles(std::filesystem::path file);

  /// Appends missing entries. A relative path is relative to the working directory.
  base::Result<void> add(const std::vector<launch::FileHash>& files);
  base::Result<void> add_suites(const std::vector<std::filesystem::path>& named);

  /// Whether PATH was launched from here with this content. The caller checks that the content is unchanged.
  [[nodiscard]] bool has(const std::filesystem::path& path, const std::string& sha256) const;
  /// Whether a user named PATH as a suite or as a folder of suites.
  [[nodiscard]] bool has_suites(const std::filesystem::path& path) const;

 private:
  using Line = std::pair<std::string, std::string>;  // sha256 or "suites", absolute path

  base::Result<void> add_lines(const std::vector<Line>& lines);

  std::filesystem::path file_;
  std::set<Line> lines_;
};

}  // namespace torchgate::workflow
