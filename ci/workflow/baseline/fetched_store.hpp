// SPDX-License-Identifier: Apache-2.0
// The data branch as it was fetched, with every name checked: what pull and push of store_branch.hpp begin with.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "baselines/store_files.hpp"
#include "ci/git/data_branch.hpp"
#include "ci/workflow/baseline/branch_settings.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// "branch torchgate-baselines of origin".
std::string name_of_branch(const StoreBranch& where);

/// bad_input: "BRANCH: PROBLEM; FIX, nothing was copied".
base::Error branch_refused(const StoreBranch& where, const std::string& problem, const std::string& fix);

/// The waits between the attempts of one transfer.
class TransferWaits {
 public:
  explicit TransferWaits(const Repetition& repetition) : repetition_(repetition), next_(repetition.first_wait) {}

  base::Result<void> wait();

 private:
  const Repetition& repetition_;
  std::chrono::milliseconds next_;
  std::mt19937_64 random_{std::random_device{}()};
};

/// A file of the branch, with its place in a store.
struct ListedFile {
  baselines::StoreFile file;
  git::BranchFile in_branch;
};
using StoreListing = std::map<std::string, ListedFile>;

/// The newest commit of the branch and what is in it; without a commit, there is no branch.
struct FetchedStore {
  std::optional<std::string> commit;
  StoreListing listing;
};

/// Git's names of the contents of local files, by path. They never change, so each file is read once for all attempts.
using OwnBlobs = std::map<std::string, std::string>;

base::Result<git::DataBranch> open_store_branch(const StoreBranch& where);

/// Fetches the newest commit, again when the remote gives no answer. bad_input: it is not a store, or has a file that the layout or a
/// limit does not allow.
base::Result<FetchedStore> fetch_store(const StoreBranch& where, const git::DataBranch& branch);

/// A file that is on both sides has the same content there, else bad_input. Adds to OWN what it reads.
base::Result<void> check_same_files(const StoreBranch& where, const git::DataBranch& branch,
                                    const StoreListing& listing, OwnBlobs& own);

/// A file, or anything else, has this name.
bool is_stored(const std::filesystem::path& path);

}  // namespace torchgate::workflow
