// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/recorded_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/base/content_hash.hpp"
#include "harness/launch/listing.hpp"
#include "harness/record/process.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

}  // namespace

RecordedFiles::RecordedFiles(const Workspace& workspace, bool everything)
    : launched_(workspace.launched()), everything_(everything) {}

bool RecordedFiles::may_run(const baselines::ExpectedObject& object) const {
  if (!fs::path(object.path).is_absolute()) return false;
  return everything_ || launched_.has(object.path, object.sha256);
}

bool RecordedFiles::measured_here(const record::Run& run) const {
  if (everything_) return true;
  const auto ours = [&](const record::LoadedObject& object) {
    return !record::is_own_file(object) || launched_.has(object.path, object.sha256);
  };
  return !run.objects.empty() && std::all_of(run.objects.begin(), run.objects.end(), ours);
}

base::Result<void> RecordedFiles::check_resumed(const launch::Unfinished& unfinished) const {
  if (everything_) return {};
  const auto unknown = [&](const fs::path& file) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("run {}: {} was not launched from this workspace with this content, and programs are not started "
                    "by a record alone; resume the run where it was started, or give {} if you trust the record",
                    unfinished.run.id, file.string(), run_recorded_files_flag)};
  };
  // First the recorded hashes, without opening a file that the record names; then the files themselves.
  for (const launch::FileHash& file : unfinished.executables)
    if (!launched_.has(file.path, file.sha256)) return unknown(file.path);
  for (const record::LoadedObject& object : unfinished.run.objects)
    if (record::is_own_file(object) && !object.sha256.empty() && !launched_.has(object.path, object.sha256))
      return unknown(object.path);
  if (auto same = launch::check_unchanged(unfinished); !same) return same;
  for (const record::Side& side : unfinished.run.sides) {
    const auto executables = launch::find_suites({side.suite_paths.begin(), side.suite_paths.end()});
    if (!executables) return executables.error();
    for (const fs::path& executable : *executables) {
      std::error_code ignored;
      if (!fs::is_regular_file(executable, ignored)) return unknown(executable);
      const auto content = base::sha256_of_file(executable);
      if (!content || !launched_.has(executable, *content)) return unknown(executable);
    }
  }
  return {};
}

base::Result<void> RecordedFiles::check_measured_again(const record::Run& run,
                                                       const std::vector<std::string>& also) const {
  if (everything_) return {};
  for (const std::string& path : run.sides.front().suite_paths) {
    const bool in_policy =
        std::any_of(also.begin(), also.end(), [&](const auto& each) { return place_of(each) == place_of(path); });
    if (in_policy || launched_.has_suites(path)) continue;
    return Error{
        ErrorCode::bad_input,
        fmt::format("run {}: {} was never named as a suite in this workspace, and programs are not started by a record "
                    "alone; measure with `torchgate run --suite PATH` and compare the two runs, set run.suites, "
                    "or give {} if you trust the record",
                    run.id, path, run_recorded_files_flag)};
  }
  return {};
}

}  // namespace torchgate::workflow
