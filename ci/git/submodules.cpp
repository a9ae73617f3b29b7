// SPDX-License-Identifier: Apache-2.0
#include "ci/git/submodules.hpp"

#include <algorithm>
#include <sstream>
#include <system_error>

#include "ci/git/run_git.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

// Submodules of submodules; deeper ones are named as not checked out.
constexpr int deepest = 8;
// More than any project has: each takes some calls of git.
constexpr std::size_t most_submodules = 1000;
constexpr std::chrono::minutes submodule_limit{30};

struct Submodule {
  std::string path;    // relative to its repository
  std::string commit;  // that the repository records for it
};

// "160000 commit HASH\tPATH\0".
std::vector<Submodule> links_in(const std::string& text) {
  std::vector<Submodule> all;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, '\0') && all.size() < most_submodules;) {
    const std::size_t link = one.find("160000 commit ");
    const std::size_t tab = one.find('\t');
    if (link == std::string::npos || tab == std::string::npos || tab < link) continue;
    const std::size_t hash = link + std::string_view("160000 commit ").size();
    all.push_back({one.substr(tab + 1), one.substr(hash, tab - hash)});
  }
  return all;
}

// What .gitmodules names and HEAD has as a link to a commit.
Result<std::vector<Submodule>> submodules_of(const fs::path& tree) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(tree / ".gitmodules", ignored))) return std::vector<Submodule>();
  const auto names =
      run_git(tree, {"config", "--null", "--file", ".gitmodules", "--get-regexp", R"(^submodule\..*\.path$)"});
  if (!names) return names.error();
  std::vector<std::string> arguments{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", "HEAD", "--"};
  const std::size_t fixed = arguments.size();
  std::istringstream in(names->output);
  for (std::string entry; std::getline(in, entry, '\0') && arguments.size() - fixed < most_submodules;) {
    const std::size_t line = entry.find('\n');
    if (line != std::string::npos && line + 1 < entry.size()) arguments.push_back(entry.substr(line + 1));
  }
  if (arguments.size() == fixed) return std::vector<Submodule>();
  const auto links = run_git(tree, arguments);
  if (!links) return links.error();
  if (links->exit_code != 0) return failure(tree, "listing the submodules", *links, ErrorCode::io);
  return links_in(links->output);
}

bool checkout_has(const fs::path& checkout, const std::string& commit) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(checkout / ".git", ignored))) return false;
  const auto answer = run_git(checkout, {"cat-file", "-e", commit + "^{commit}"});
  return answer && answer->exit_code == 0;
}

// A clone that shares the objects of the user's checkout, at COMMIT.
Result<void> clone_at(const fs::path& from, const std::string& commit, const fs::path& to) {
  const GitOptions slow{submodule_limit, false};
  const auto cloned =
      run_git(to.parent_path(), {"clone", "--quiet", "--shared", "--no-checkout", "--", from, to}, slow);
  if (!cloned) return cloned.error();
  if (cloned->exit_code != 0) return failure(from, "cloning it as a submodule of a work tree", *cloned, ErrorCode::io);
  const auto checked_out = run_git(to, {"checkout", "--quiet", "--detach", commit}, slow);
  if (!checked_out) return checked_out.error();
  if (checked_out->exit_code != 0) return failure(to, "checking out " + commit, *checked_out, ErrorCode::io);
  return {};
}

Result<void> check_out_below(const fs::path& from, const fs::path& tree, const std::string& below, int depth,
                             std::vector<std::string>& left) {
  const auto submodules = submodules_of(tree);
  if (!submodules) return submodules.error();
  for (const Submodule& one : *submodules) {
    const std::string path = below + one.path;
    if (depth == deepest || !checkout_has(from / one.path, one.commit)) {
      left.push_back(path);
      continue;
    }
    if (auto cloned = clone_at(from / one.path, one.commit, tree / one.path); !cloned) return cloned;
    if (auto nested = check_out_below(from / one.path, tree / one.path, path + "/", depth + 1, left); !nested)
      return nested;
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> check_out_submodules(const Repository& repository, const fs::path& tree) {
  std::vector<std::string> left;
  if (auto done = check_out_below(repository.root(), tree, "", 0, left); !done) return done.error();
  return left;
}

}  // namespace torchgate::git
