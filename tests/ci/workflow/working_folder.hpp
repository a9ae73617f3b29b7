// SPDX-License-Identifier: Apache-2.0
// A working folder of its own with a repository, suites and runs in it: what the tests of use cases and commands share.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::workflow::testing {

/// Makes an empty temporary folder the working folder. The environment has no variable of torchgate, of a CI system or of the
/// user's git in it. Both are as before when it goes.
class WorkingFolder {
 public:
  WorkingFolder();
  ~WorkingFolder();
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  /// Sets an environment variable until the folder goes.
  void set(const std::string& name, const std::string& value);

  /// The user's own git, which must succeed.
  void git(const std::vector<std::string>& arguments) const;
  /// A repository with one commit that ignores what torchgate and its builds write.
  void make_repository() const;
  /// Commits a new content of the file `code`; its hash.
  [[nodiscard]] std::string commit(const std::string& content) const;

  /// A copy of the fake suite in FOLDER that takes LEVEL nanoseconds, whatever this machine does.
  void make_suite(const std::string& folder, int level) const;

  /// Saves RUN as `torchgate run --save NAME` would.
  void save(record::Run run, const std::string& name) const;

 private:
  std::filesystem::path before_;
  base::testing::TemporaryFolder folder_;
  std::map<std::string, std::optional<std::string>> old_variables_;
};

void write_text(const std::filesystem::path& file, const std::string& text);
std::string read_text(const std::filesystem::path& file);

}  // namespace torchgate::workflow::testing
