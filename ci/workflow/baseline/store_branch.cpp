// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/store_branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "baselines/folder_store.hpp"
#include "baselines/store_files.hpp"
#include "ci/git/data_branch.hpp"
#include "ci/workflow/baseline/fetched_store.hpp"
#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using baselines::FileKind;
using baselines::StoreFile;
namespace fs = std::filesystem;

/// The runs that a commit message names; more are counted.
constexpr std::size_t most_named_runs = 20;

std::size_t count_runs(const std::vector<StoreFile>& files) {
  return static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const StoreFile& file) { return file.kind == FileKind::record; }));
}

/// Of a copy: that it is as large as git said (a filter of the user's would change that), and what its name says.
Result<void> check_copies(const StoreBranch& where, const StoreListing& listing, const std::vector<std::string>& paths,
                          const fs::path& folder) {
  for (const std::string& path : paths) {
    const ListedFile& listed = listing.at(path);
    std::error_code failed;
    if (fs::file_size(folder / path, failed) != listed.in_branch.bytes || failed)
      return branch_refused(where, base::in_quotes(path) + " was not written as it is",
                            "remove the filters of git's attributes");
    if (auto checked = baselines::check_content(listed.file, folder / path); !checked)
      return checked.error().within(name_of_branch(where) + " is not used, nothing was copied");
  }
  return {};
}

Result<void> create_store(const fs::path& folder) {
  const auto store = baselines::open_folder_store(folder, baselines::OpenMode::create);
  return store ? Result<void>() : store.error();
}

std::string message_for(const std::vector<StoreFile>& files) {
  std::string runs;
  std::size_t count = 0;
  for (const StoreFile& file : files) {
    if (file.kind != FileKind::record || ++count > most_named_runs) continue;
    runs += fmt::format("run {} of commit {} on {}\n", file.entry->id, file.entry->commit.value_or("(none)"),
                        file.entry->host_key);
  }
  if (count > most_named_runs) runs += fmt::format("and {} more\n", count - most_named_runs);
  const std::string what =
      count > 0 ? base::counted(count, "run", "runs") : base::counted(files.size(), "file", "files");
  return fmt::format("Add {}\n\n{}", what, runs);
}

/// One attempt to push: what was to be added, and what became of it.
struct Attempt {
  PushReport report;
  git::PushAnswer answer{git::PushOutcome::pushed, {}};
};

class Pusher {
 public:
  Pusher(const StoreBranch& where, git::DataBranch branch, std::uint64_t objects_up_to)
      : where_(where), branch_(std::move(branch)), objects_up_to_(objects_up_to) {}

  /// Without MAY_PUSH it only looks what is still lacking.
  Result<Attempt> attempt(bool may_push) {
    const auto fetched = fetch_store(where_, branch_);
    if (!fetched) return fetched.error();
    const auto lacking = lacking_in(fetched->listing);
    if (!lacking) return lacking.error();
    Attempt attempt;
    attempt.report.runs_added = count_runs(*lacking);
    attempt.report.files_added = lacking->size();
    attempt.report.runs_already_there = shared_runs_ - attempt.report.runs_added;
    if (lacking->empty() || !may_push) return attempt;
    std::vector<git::NewFile> files;
    for (const StoreFile& file : *lacking) files.push_back({file.path, where_.store / file.path});
    const auto commit = branch_.commit(fetched->commit, files, message_for(*lacking));
    if (!commit) return commit.error();
    auto answer = branch_.push(*commit);
    if (!answer) return answer.error();
    attempt.answer = std::move(answer).value();
    attempt.report.commit = *commit;
    return attempt;
  }

 private:
  /// What the branch lacks of the local store, each file checked.
  Result<std::vector<StoreFile>> lacking_in(const StoreListing& listing) {
    const auto shared = baselines::shared_files(where_.store);
    if (!shared) return shared.error();
    shared_runs_ = count_runs(*shared);
    std::vector<StoreFile> lacking;
    for (const StoreFile& file : *shared) {
      if (listing.contains(file.path)) continue;
      lacking.push_back(file);
      if (file.kind != FileKind::record) continue;
      auto parts = baselines::files_of_record(where_.store, file, objects_up_to_);
      if (!parts) return parts.error();
      for (StoreFile& part : *parts) {
        if (!listing.contains(part.path)) lacking.push_back(std::move(part));
      }
    }
    std::sort(lacking.begin(), lacking.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    lacking.erase(std::unique(lacking.begin(), lacking.end()), lacking.end());
    if (auto same = check_same_files(where_, branch_, listing, own_blobs_); !same) return same.error();
    if (auto checked = check_own(listing, lacking); !checked) return checked.error();
    return lacking;
  }

  Result<void> check_own(const StoreListing& listing, const std::vector<StoreFile>& files) {
    std::map<std::string, std::string> ids;
    for (const auto& [path, listed] : listing) {
      if (listed.file.entry) ids.emplace(listed.file.entry->id, path);
    }
    for (const StoreFile& file : files) {
      if (file.entry) {
        const auto [known, is_new] = ids.emplace(file.entry->id, file.path);
        if (!is_new)
          return branch_refused(
              where_,
              fmt::format("run {} has two records, {} there and {} here", file.entry->id, known->second, file.path),
              "remove the one that is wrong");
      }
      if (!checked_.insert(file.path).second) continue;  // in an earlier attempt
      std::error_code failed;
      if (fs::file_size(where_.store / file.path, failed) > where_.limits.file_bytes || failed)
        return Error{ErrorCode::bad_input, fmt::format("{}: larger than {} bytes, which a pull refuses; add a run with "
                                                       "fewer samples",
                                                       (where_.store / file.path).string(), where_.limits.file_bytes)};
      if (auto checked = baselines::check_content(file, where_.store / file.path); !checked)
        return checked.error().within("nothing was pushed, " + where_.store.string() + " is damaged");
    }
    return {};
  }

  const StoreBranch& where_;
  git::DataBranch branch_;
  std::uint64_t objects_up_to_;
  std::size_t shared_runs_ = 0;
  std::set<std::string> checked_;
  OwnBlobs own_blobs_;
};

Error given_up(const StoreBranch& where, int pushes, const std::string& words) {
  return {ErrorCode::io, fmt::format("nothing was added to {} in {}; the runs are still in {}, so `torchgate baseline "
                                     "push` again adds them. The last answer: {}",
                                     name_of_branch(where), base::counted(pushes, "attempt", "attempts"),
                                     where.store.string(), words)};
}

}  // namespace

Result<PullReport> pull_store(const StoreBranch& where) {
  auto branch = open_store_branch(where);
  if (!branch) return branch.error();
  const auto fetched = fetch_store(where, *branch);
  if (!fetched) return fetched.error();
  PullReport report;
  report.branch_exists = fetched->commit.has_value();
  std::vector<std::string> lacking;
  std::uint64_t bytes = 0;
  for (const auto& [path, listed] : fetched->listing) {
    if (is_stored(where.store / path)) {
      if (listed.file.kind == FileKind::record) ++report.runs_already_there;
      continue;
    }
    lacking.push_back(path);
    bytes += listed.in_branch.bytes;
  }
  if (bytes > where.limits.total_bytes)
    return branch_refused(where, fmt::format("{} bytes are new, at most {} are read", bytes, where.limits.total_bytes),
                          "see with `git log` who changed the branch, and restore it");
  OwnBlobs own;
  if (auto same = check_same_files(where, *branch, fetched->listing, own); !same) return same.error();
  if (lacking.empty()) {
    if (auto created = create_store(where.store); !created) return created.error();
    return report;
  }
  const auto copies = branch->check_out(*fetched->commit, lacking);
  if (!copies) return copies.error();
  if (auto checked = check_copies(where, fetched->listing, lacking, *copies); !checked) return checked.error();
  if (auto created = create_store(where.store); !created) return created.error();
  std::vector<StoreFile> files;
  files.reserve(lacking.size());
  for (const std::string& path : lacking) files.push_back(fetched->listing.at(path).file);
  std::erase_if(files, [](const StoreFile& file) { return file.kind == FileKind::marker; });
  if (auto placed = baselines::place_files(where.store, *copies, files); !placed) return placed.error();
  report.files_added = files.size();
  report.runs_added = count_runs(files);
  return report;
}

Result<PushReport> push_store(const StoreBranch& where, std::uint64_t objects_up_to) {
  if (const auto pull = pull_request(where.variable)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("this is a pull request ({}), and runs of a change that was not merged are not baselines; "
                             "push from a job of the main branch",
                             pull->system)};
  }
  if (const auto shared = baselines::shared_files(where.store); !shared) return shared.error();
  auto branch = open_store_branch(where);
  if (!branch) return branch.error();
  Pusher pusher(where, std::move(branch).value(), objects_up_to);
  TransferWaits waiting(where.repetition);
  PushReport before;       // what the attempt before wanted to add
  std::string last_words;  // and why it did not
  int failures = 0;
  for (int pushes = 0;;) {
    const bool may_push = pushes < where.repetition.pushes && failures < where.repetition.failures;
    auto attempt = pusher.attempt(may_push);
    if (!attempt && (pushes == 0 || attempt.error().code != ErrorCode::io)) return attempt.error();
    if (!attempt) return given_up(where, pushes, attempt.error().message);
    PushReport& report = attempt->report;
    if (report.files_added == 0) {
      // After an attempt: its answer was lost, or another process has pushed the same files.
      before.pushes = pushes;
      return pushes == 0 ? std::move(report) : std::move(before);
    }
    if (!may_push) return given_up(where, pushes, last_words);
    report.pushes = ++pushes;
    if (attempt->answer.outcome == git::PushOutcome::pushed) return std::move(report);
    if (attempt->answer.outcome == git::PushOutcome::refused) return given_up(where, pushes, attempt->answer.words);
    if (attempt->answer.outcome == git::PushOutcome::unclear) ++failures;
    last_words = std::move(attempt->answer.words);
    before = std::move(report);
    before.commit.reset();
    if (auto waited = waiting.wait(); !waited) return waited.error();
  }
}

}  // namespace torchgate::workflow
