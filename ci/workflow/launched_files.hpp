// SPDX-License-Identifier: Apache-2.0
// Which files torchgate launched from this workspace, by path and content: .torchgate/launched. A record can name any program;
// only what stands in this list is run again from the place that a record gives.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/journal.hpp"

namespace torchgate::workflow {

/// PATH from the root on, without "..", and without a slash at its end.
std::string place_of(const std::filesystem::path& path);

/// The list as a file of lines: "<sha256>  <absolute path>" for what was launched, "suites  <absolute path>" for what a
/// user named as suites (command line or policy). It is only appended to, by one writer at a time; a line that was cut off by
/// a kill is no line. Lines make programs run, so a list that another user could write is not read.
class LaunchedFiles {
 public:
  /// Reads FILE. No such file, or one that is not ours alone to write: an empty list.
  explicit LaunchedFiles(std::filesystem::path file);

  /// Adds what the list lacks. A relative path is one from the working directory.
  base::Result<void> add(const std::vector<launch::FileHash>& files);
  base::Result<void> add_suites(const std::vector<std::filesystem::path>& named);

  /// PATH was launched from here with this content. Whether it still has it is for the caller to find out.
  [[nodiscard]] bool has(const std::filesystem::path& path, const std::string& sha256) const;
  /// PATH was named by a user as a suite, or as a folder of them.
  [[nodiscard]] bool has_suites(const std::filesystem::path& path) const;

 private:
  using Line = std::pair<std::string, std::string>;  // sha256 or "suites", absolute path

  base::Result<void> add_lines(const std::vector<Line>& lines);

  std::filesystem::path file_;
  std::set<Line> lines_;
};

}  // namespace torchgate::workflow
