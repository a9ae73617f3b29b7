// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/own_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "ci/git/tracked_files.hpp"
#include "harness/base/some_of.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

constexpr const char* workspace_folder = ".torchgate";
constexpr std::size_t files_shown = 5;

std::filesystem::path folder_of(const std::string& store) {
  constexpr std::string_view file_scheme = "file://";
  return store.starts_with(file_scheme) ? store.substr(file_scheme.size()) : store;
}

}  // namespace

base::Result<void> check_evidence_is_not_committed(const std::string& store) {
  const auto repository = git::enclosing_repository(".");
  if (!repository) return repository.error().within("cannot check for committed runs and baselines");
  if (!*repository) return {};
  std::vector<std::filesystem::path> folders{workspace_folder};
  if (store.find("://") == std::string::npos || store.starts_with("file://")) folders.push_back(folder_of(store));
  for (const std::filesystem::path& folder : folders) {
    const auto tracked = git::tracked_below(**repository, folder);
    if (!tracked) return tracked.error();
    if (tracked->empty()) continue;
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: files of this folder are committed ({}), but a change must not bring the runs and baselines "
                    "that judge it; copy the folder away first (a checkout of an older commit and back deletes it), "
                    "remove its files with `git rm -r --cached`, add the folder to .gitignore and commit, or keep the "
                    "store in a checkout of its own branch (git worktree add)",
                    folder.string(), base::some_of(*tracked, files_shown))};
  }
  return {};
}

}  // namespace torchgate::workflow
