// SPDX-License-Identifier: Apache-2.0
#include "baselines/add.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "baselines/read_file_limits.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/record/warnings.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

bool has_a_number(const record::Measurement& measurement) {
  return measurement.summary || measurement.value || !measurement.samples.empty();
}

bool measured_anything(const record::Process& process) {
  return std::any_of(process.cases.begin(), process.cases.end(), [](const record::CaseResult& result) {
    return result.status == record::CaseStatus::ok &&
           std::any_of(result.measurements.begin(), result.measurements.end(), has_a_number);
  });
}

bool measured_anything(const record::Run& run) {
  return std::any_of(run.processes.begin(), run.processes.end(),
                     [](const record::Process& process) { return measured_anything(process); });
}

Error refusal(const record::Run& run, const std::string& why) {
  return {ErrorCode::bad_input, "run " + run.id + " cannot be added: " + why};
}

// " (version.h, a.txt and others)"; "" where none is known
std::string some_of(const std::vector<std::string>& files) {
  constexpr std::size_t most_named = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(files.size(), most_named); ++i)
    names += (i == 0 ? "" : ", ") + base::shown(files[i]);
  if (names.empty()) return "";
  return " (" + names + (files.size() > most_named ? " and others)" : ")");
}

Result<void> check(const record::Run& run, const AddOptions& options) {
  if (run.sides.size() != 1) {
    return refusal(run, "it has " + std::to_string(run.sides.size()) +
                            " sides, as from `torchgate ab`; measure the baseline alone with `torchgate run`");
  }
  if (run.interrupted) return refusal(run, "it was interrupted before its plan was complete; run it again to the end");
  if (run.plan.shards > 1 || !run.plan.missing_shards.empty()) {
    return refusal(run, "some shards are missing; run `torchgate merge` first");
  }
  if (!run.unchanged.empty()) {
    return refusal(run, "it measured nothing for " + base::counted(run.unchanged.size(), "group", "groups") +
                            " that did not change since run " + run.unchanged.front().since +
                            ", which stays their baseline; to store a run of this commit, measure it without "
                            "--skip-unchanged");
  }
  if (!measured_anything(run)) {
    return refusal(run, "no case was measured; see the messages of its processes, fix them and run it again");
  }
  if (!options.as_baseline_of_commit) return {};
  const auto& source = run.sides.front().source;
  const std::string or_by_name =
      ", or compare without a store: `torchgate run --save NAME`, then `torchgate compare NAME`";
  if (!source.commit) {
    const auto why = std::find_if(run.warnings.begin(), run.warnings.end(), [](const std::string& warning) {
      return warning.starts_with(record::commit_unknown);
    });
    if (why != run.warnings.end())
      return refusal(run,
                     "it is not tied to a commit: " + why->substr(std::string_view(record::commit_unknown).size()) +
                         "; then measure again" + or_by_name);
    return refusal(run, "it is not tied to a commit; run it inside a git work tree" + or_by_name);
  }
  if (source.modified == true) {
    return refusal(
        run,
        "its work tree was modified" + some_of(source.modified_files) + ", so it does not represent commit " +
            *source.commit +
            "; commit first, or untrack files that the build writes, and run it again (`git ls-files -v` marks files "
            "whose changes `git status` does not show)" +
            or_by_name);
  }
  return {};
}

bool knows_its_executable(const record::Run& run, const record::Process& process) {
  return std::any_of(process.objects.begin(), process.objects.end(),
                     [&](std::int64_t index) { return run.objects.at(static_cast<std::size_t>(index)).executable; });
}

/// A suite with measurements but without a known executable: its files could not be kept, and its suspects could never be
/// confirmed. Absent when there is none.
std::optional<std::string> suite_without_objects(const record::Run& run) {
  std::map<std::string, bool> known;
  for (const auto& process : run.processes) {
    if (process.status != record::ProcessStatus::ok || !measured_anything(process)) continue;
    known[process.suite] = known[process.suite] || knows_its_executable(run, process);
  }
  const auto unknown = std::find_if(known.begin(), known.end(), [](const auto& each) { return !each.second; });
  return unknown == known.end() ? std::nullopt : std::optional(unknown->first);
}

Result<void> keep_objects(Store& store, const record::Run& run, AddReport& report) {
  std::set<std::string> seen;
  for (const auto& object : run.objects) {
    if (object.system || !seen.insert(object.sha256.empty() ? object.path : object.sha256).second) continue;
    if (object.sha256.empty()) {
      report.not_kept.push_back(object.path + " has no recorded hash");
      continue;
    }
    const auto put = store.put_object(object.path, object.sha256);
    if (put) {
      ++(*put == PutOutcome::added ? report.objects_added : report.objects_already_there);
    } else if (put.error().code == ErrorCode::io) {
      return put.error().within("storing the objects of run " + run.id);
    } else {
      report.not_kept.push_back(put.error().message);
    }
  }
  return {};
}

/// PATH without links lies in FOLDER: what a link in the work tree leads to outside of it may be a secret.
bool lies_below(const std::string& path, const fs::path& folder) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  const fs::path root = failed ? fs::path() : fs::canonical(folder, failed);
  if (failed || !fs::is_regular_file(real, failed)) return false;
  const fs::path relative = real.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

/// Files that changed since the run, are too large, or lie elsewhere are not kept: a suspect that reads another content of them
/// stays a suspect.
Result<void> keep_files(Store& store, const record::Run& run, const fs::path& below, AddReport& report) {
  std::uintmax_t all_bytes = 0;
  std::set<std::string> seen;
  for (const record::ReadFile& file : run.files) {
    if (file.sha256.empty() || !file.path.starts_with('/') || !lies_below(file.path, below)) continue;
    if (!seen.insert(file.sha256).second) continue;
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(file.path, failed);
    if (failed || bytes > largest_kept_file_bytes || all_bytes + bytes > most_kept_files_bytes) continue;
    const auto put = store.put_object(file.path, file.sha256);
    if (!put && put.error().code == ErrorCode::io) return put.error().within("storing the files of run " + run.id);
    if (!put) continue;
    all_bytes += bytes;
    ++report.files_kept;
  }
  return {};
}

Result<void> keep_all(Store& store, const record::Run& run, const fs::path& files_below, AddReport& report) {
  if (auto kept = keep_objects(store, run, report); !kept) return kept;
  return files_below.empty() ? Result<void>() : keep_files(store, run, files_below, report);
}

}  // namespace

Result<AddReport> add_run(Store& store, const record::Run& run, const AddOptions& options) {
  if (auto checked = check(run, options); !checked) return checked.error();
  AddReport report;
  if (options.keep_objects) {
    if (const auto suite = suite_without_objects(run)) {
      return refusal(run, "the executable of its suite " + *suite +
                              " is unknown: its processes ended before the files they ran could be read; let it "
                              "measure longer, or add the run without its files (--without-objects)");
    }
    if (auto kept = keep_all(store, run, options.keep_files_below, report); !kept) return kept.error();
  }
  const auto put = store.put(run, options.as_baseline_of_commit);
  if (!put) return put.error();
  report.run = *put;
  return report;
}

Result<AddReport> add_objects(Store& store, const record::Run& run, const fs::path& keep_files_below) {
  AddReport report;
  if (auto kept = keep_all(store, run, keep_files_below, report); !kept) return kept.error();
  return report;
}

}  // namespace torchgate::baselines
