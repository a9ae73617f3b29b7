// SPDX-License-Identifier: Apache-2.0
#include "ci/git/file_at.hpp"

#include <algorithm>
#include <sstream>

#include "ci/git/run_git.hpp"

namespace torchgate::git {

using base::Error;
using base::ErrorCode;

base::Result<std::optional<std::string>> file_at(const Repository& repository, const std::string& commit,
                                                 const std::filesystem::path& path) {
  const std::string name = path.lexically_normal().generic_string();
  // "100644 blob HASH    SIZE\tPATH"; with -z the path is not quoted. ls-tree takes paths as they are, not as patterns.
  const auto listed = run_git(repository.root(), {"ls-tree", "-z", "-l", "--full-tree", commit, "--", name});
  if (!listed) return listed.error();
  const std::string doing = "looking for " + name + " in commit " + commit;
  if (listed->exit_code != 0) return failure(repository.root(), doing, *listed, ErrorCode::not_found);
  if (listed->output.empty()) return std::optional<std::string>();
  std::istringstream entry(listed->output);
  std::string mode;
  std::string type;
  std::string hash;
  std::size_t size = 0;
  entry >> mode >> type >> hash >> size;
  if (!entry || type != "blob" || mode == "120000") {
    return Error{ErrorCode::bad_input, name + " in commit " + commit + ": not a regular file; commit one"};
  }
  auto content = run_git(repository.root(), {"cat-file", "blob", hash});
  if (!content) return content.error();
  if (content->exit_code != 0) return failure(repository.root(), doing, *content, ErrorCode::io);
  // A warning of git's would be in the same output.
  if (content->output.size() != size) {
    return Error{ErrorCode::bad_input, name + " in commit " + commit + " has " + std::to_string(size) +
                                           " bytes, and git gave " + std::to_string(content->output.size())};
  }
  return std::optional(std::move(content->output));
}

}  // namespace torchgate::git
