// SPDX-License-Identifier: Apache-2.0
#include "ci/git/tracked_files.hpp"

#include <set>
#include <sstream>
#include <system_error>

#include "ci/git/run_git.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

/// "MODE TYPE HASH\tPATH\0": what `ls-tree -z` prints. What git has to warn about comes before the first entry.
struct Entry {
  std::string mode;
  std::string path;
};

std::vector<Entry> entries_of(const std::string& text) {
  std::vector<Entry> entries;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, '\0');) {
    const std::size_t tab = one.find('\t');
    if (tab == std::string::npos) continue;
    const std::size_t line = one.rfind('\n', tab);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    entries.push_back({one.substr(begin, one.find(' ', begin) - begin), one.substr(tab + 1)});
  }
  return entries;
}

bool has_no_commit(const Repository& repository) {
  const auto head = run_git(repository.root(), {"rev-parse", "--quiet", "--verify", "HEAD"});
  return head && head->exit_code == 1;
}

Result<std::vector<Entry>> list(const Repository& repository, bool recursive, const std::string& path) {
  std::vector<std::string> arguments{"ls-tree", "-z", "--full-tree"};
  if (recursive) arguments.emplace_back("-r");
  arguments.insert(arguments.end(), {"HEAD"});
  if (path != ".") arguments.insert(arguments.end(), {"--", path});
  const auto answer = run_git(repository.root(), arguments);
  if (!answer) return answer.error();
  if (answer->exit_code != 0 && has_no_commit(repository)) return std::vector<Entry>();
  if (answer->exit_code != 0)
    return failure(repository.root(), "listing what HEAD tracks below " + path, *answer, ErrorCode::io);
  return entries_of(answer->output);
}

/// PATH relative to the root; empty when it is not inside.
fs::path inside(const Repository& repository, const fs::path& path) {
  const fs::path relative = path.lexically_normal().lexically_relative(repository.root());
  if (relative.empty() || *relative.begin() == "..") return {};
  return relative.has_filename() ? relative : relative.parent_path();
}

/// A folder on the way to PATH that HEAD has as a link or as a submodule: what lies beyond it is HEAD's choice.
Result<std::vector<std::string>> links_on_the_way(const Repository& repository, const fs::path& path) {
  fs::path way;
  for (const fs::path& part : path.parent_path()) {  // PATH itself is listed already, whatever it is
    way /= part;
    const auto entry = list(repository, false, way.generic_string());
    if (!entry) return entry.error();
    if (entry->empty()) return std::vector<std::string>();
    const std::string& mode = entry->front().mode;
    if (mode == "120000" || mode == "160000") return std::vector<std::string>{entry->front().path};
  }
  return std::vector<std::string>();
}

}  // namespace

Result<std::optional<Repository>> enclosing_repository(const fs::path& folder) {
  std::error_code failed;
  fs::path each = fs::canonical(folder, failed);
  if (failed)
    return Error{ErrorCode::io, (folder == "." ? "the working directory" : folder.string()) + ": " + failed.message() +
                                    "; change to an existing folder"};
  for (;; each = each.parent_path()) {
    if (fs::exists(fs::symlink_status(each / ".git", failed))) break;
    if (each == each.parent_path()) return std::optional<Repository>();
  }
  auto repository = Repository::open(folder);
  if (!repository) return repository.error();
  return std::optional(std::move(repository).value());
}

Result<std::vector<std::string>> tracked_below(const Repository& repository, const fs::path& folder) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(folder, failed);
  std::set<fs::path> names{inside(repository, absolute)};
  // The working directory without links, and FOLDER as it is named from there; then everything without links.
  if (const fs::path here = fs::canonical(".", failed); !failed && folder.is_relative())
    names.insert(inside(repository, here / folder));
  if (const fs::path real = fs::weakly_canonical(absolute, failed); !failed) names.insert(inside(repository, real));
  std::set<std::string> found;
  for (const fs::path& name : names) {
    if (name.empty()) continue;
    const auto entries = list(repository, true, name.generic_string());
    if (!entries) return entries.error();
    for (const Entry& entry : *entries) found.insert(entry.path);
    const auto links = links_on_the_way(repository, name);
    if (!links) return links.error();
    found.insert(links->begin(), links->end());
  }
  return std::vector<std::string>(found.begin(), found.end());
}

}  // namespace torchgate::git
