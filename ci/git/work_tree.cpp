// SPDX-License-Identifier: Apache-2.0
#include "ci/git/work_tree.hpp"

#include <string>
#include <system_error>
#include <vector>

#include "ci/git/run_git.hpp"

namespace torchgate::git {

namespace fs = std::filesystem;

namespace {

/// A hundred thousand files on a network disk take minutes to be written.
constexpr std::chrono::minutes checkout_limit{30};

}  // namespace

base::Result<WorkTree> WorkTree::add(const Repository& repository, const std::string& commit, const fs::path& folder,
                                     Content content) {
  std::error_code ignored;
  const fs::path path = fs::absolute(folder).lexically_normal();
  if (fs::exists(path, ignored)) {
    return base::Error{base::ErrorCode::io, "no work tree can be made as " + path.string() + ": it exists"};
  }
  WorkTree tree(repository.root(), path);  // from here on whatever git leaves there goes away
  std::vector<std::string> arguments{"worktree", "add", "--quiet", "--detach"};
  if (content == Content::nothing) arguments.emplace_back("--no-checkout");
  arguments.insert(arguments.end(), {path.string(), commit});
  const auto answer = run_git(repository.root(), arguments, {checkout_limit, false});
  if (!answer) return answer.error().within("making a work tree of commit " + commit);
  if (answer->exit_code != 0)
    return failure(repository.root(), "making a work tree of commit " + commit, *answer, base::ErrorCode::io);
  return tree;
}

void WorkTree::remove(const fs::path& repository, const fs::path& folder) {
  // Twice --force: locked ones too. Git refuses for a folder that it does not know, or where files cannot be deleted;
  // then the folder is deleted as far as possible, and git is asked once more to forget it.
  const auto forget = [&] {
    const auto answer =
        run_git(repository, {"worktree", "remove", "--force", "--force", folder}, {checkout_limit, /*cleans_up=*/true});
    return answer && answer->exit_code == 0;
  };
  const bool forgotten = forget();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!forgotten) forget();
}

}  // namespace torchgate::git
