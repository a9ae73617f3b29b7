// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/fetched_store.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "baselines/folder_store.hpp"
#include "ci/git/tracked_files.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/process/interrupt.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

constexpr const char* how_to_undo = "see with `git log` who changed the branch, and restore it";

/// Waits unless the user asks to stop.
Result<void> pause(std::chrono::milliseconds duration) {
  pollfd asked{process::interrupt_descriptor(), POLLIN, 0};
  poll(&asked, asked.fd < 0 ? 0 : 1, static_cast<int>(duration.count()));
  if (process::stop_requested()) return Error{ErrorCode::interrupted, "interrupted while waiting for the data branch"};
  return {};
}

Result<StoreListing> check_listing(const StoreBranch& where, const std::vector<git::BranchFile>& files) {
  if (files.size() > where.limits.files) {
    return branch_refused(where, fmt::format("{} files, at most {} are read", files.size(), where.limits.files),
                          how_to_undo);
  }
  StoreListing listing;
  std::map<std::string, std::string> ids;
  for (const git::BranchFile& each : files) {
    const std::string path = base::in_quotes(each.path);
    if (each.type != "blob" || each.mode != git::regular_file_mode)
      return branch_refused(where, fmt::format("{} is not a regular file (mode {})", path, each.mode), how_to_undo);
    auto file = baselines::parse_store_path(each.path);
    if (!file) return branch_refused(where, path + " is not a file of a baseline store", how_to_undo);
    if (each.bytes > where.limits.file_bytes) {
      return branch_refused(
          where, fmt::format("{} has {} bytes, at most {} are read", path, each.bytes, where.limits.file_bytes),
          how_to_undo);
    }
    if (file->entry) {
      const auto [first, is_new] = ids.emplace(file->entry->id, each.path);
      if (!is_new)
        return branch_refused(where, fmt::format("{} and {} are records of one run", first->second, path), how_to_undo);
    }
    listing.emplace(each.path, ListedFile{std::move(*file), each});
  }
  if (!listing.contains(std::string(baselines::store_marker_name)))
    return branch_refused(where, fmt::format("not a baseline store: it has no {}", baselines::store_marker_name),
                          "name another branch (baseline.branch)");
  return listing;
}

Result<FetchedStore> fetch_once(const StoreBranch& where, const git::DataBranch& branch) {
  FetchedStore fetched;
  auto commit = branch.fetch();
  if (!commit) return commit.error();
  fetched.commit = *std::move(commit);
  if (!fetched.commit) return fetched;
  const auto files = branch.files(*fetched.commit);
  if (!files) return files.error();
  auto listing = check_listing(where, *files);
  if (!listing) return listing.error();
  fetched.listing = std::move(listing).value();
  return fetched;
}

}  // namespace

std::string name_of_branch(const StoreBranch& where) {
  return fmt::format("branch {} of {}", where.branch, where.remote);
}

Error branch_refused(const StoreBranch& where, const std::string& problem, const std::string& fix) {
  return {ErrorCode::bad_input, fmt::format("{}: {}; {}, nothing was copied", name_of_branch(where), problem, fix)};
}

Result<void> TransferWaits::wait() {
  std::uniform_real_distribution<double> share(0.5, 1.0);
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(next_ * share(random_));
  next_ = std::min(next_ * 2, repetition_.longest_wait);
  return repetition_.wait ? repetition_.wait(now) : pause(now);
}

Result<git::DataBranch> open_store_branch(const StoreBranch& where) {
  const auto repository = git::enclosing_repository(".");
  if (!repository) return repository.error();
  auto remote = git::Remote::find(*repository, where.remote, where.variable);
  if (!remote) return remote.error();
  return git::DataBranch::open(std::move(remote).value(), where.branch);
}

Result<FetchedStore> fetch_store(const StoreBranch& where, const git::DataBranch& branch) {
  TransferWaits waiting(where.repetition);
  for (int failures = 1;; ++failures) {
    auto fetched = fetch_once(where, branch);
    if (fetched || fetched.error().code != ErrorCode::io || failures >= where.repetition.failures) return fetched;
    if (auto waited = waiting.wait(); !waited) return waited.error();
  }
}

bool is_stored(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

Result<void> check_same_files(const StoreBranch& where, const git::DataBranch& branch, const StoreListing& listing,
                              OwnBlobs& own) {
  std::vector<std::string> paths;
  std::vector<fs::path> files;
  for (const auto& [path, listed] : listing) {
    if (own.contains(path) || !is_stored(where.store / path)) continue;
    paths.push_back(path);
    files.push_back(where.store / path);
  }
  const auto blobs = branch.blobs_of(files);
  if (!blobs) return blobs.error();
  for (std::size_t i = 0; i < paths.size(); ++i) own.emplace(paths[i], (*blobs)[i]);
  for (const auto& [path, listed] : listing) {
    const auto here = own.find(path);
    if (here == own.end() || here->second == listed.in_branch.blob) continue;
    if (path == baselines::store_marker_name) {
      return branch_refused(where, "another version of torchgate made the branch, or changed its " + path,
                            "use that version, or another branch (baseline.branch)");
    }
    return branch_refused(where,
                          fmt::format("{} differs from {}, and stored files never change", base::in_quotes(path),
                                      (where.store / path).string()),
                          "restore the one that was changed");
  }
  return {};
}

}  // namespace torchgate::workflow
