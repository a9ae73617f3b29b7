// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ci/workflow/version.hpp"
#include "ci/workflow/workspace/saved_records.hpp"
#include "harness/base/abandoned_files.hpp"
#include "harness/base/creation_time.hpp"
#include "harness/base/for_a_shell.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/import/criterion.hpp"
#include "harness/import/import.hpp"
#include "harness/import/recognised.hpp"
#include "harness/import/unknown_file.hpp"
#include "harness/launch/journal.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using import::Directions;
namespace fs = std::filesystem;

// File systems allow 255 bytes: the extension and the suffix of the temporary file must fit, too.
constexpr std::size_t longest_name = 200;

bool is_file_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

// "after" is a file of this folder and the name of a saved run: each may be meant.
base::Result<void> check_one_meaning(const std::string& run, const fs::path& folder) {
  if (!is_file_name(run)) return {};
  std::error_code ignored;
  const fs::path saved = folder / (run + record_extension);
  if (!fs::exists(run, ignored) || !fs::is_regular_file(saved, ignored)) return {};
  if (!fs::is_regular_file(run, ignored) && !import::is_importable(run)) return {};
  return Error{ErrorCode::bad_input, fmt::format("{}: both a file and a saved run; use ./{} or {}",
                                                 base::in_quotes(run), run, saved.string())};
}

bool measured_on(const record::Run& run, std::int64_t side, const std::string& case_name) {
  return std::any_of(run.processes.begin(), run.processes.end(), [&](const record::Process& process) {
    return process.side == side && process.status == record::ProcessStatus::ok &&
           std::any_of(process.cases.begin(), process.cases.end(), [&](const record::CaseResult& result) {
             return result.name == case_name && result.status == record::CaseStatus::ok;
           });
  });
}

// Only the textbook rule and the tails need samples, so pruned ones are not an error.
base::Result<record::Run> load_with_samples(const fs::path& path) {
  auto run = record::load_run(path);
  if (!run) return run;
  if (run->samples) {
    const auto samples = record::load_samples(*run, path);
    if (!samples && samples.error().code != ErrorCode::not_found) return samples.error();
  }
  return run;
}

bool is_one_process(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) || import::is_criterion_folder(path);
}

// "a1.json,a2.json": the parts of a list; one part where there are no commas.
std::vector<fs::path> parts_of(const std::string& run) {
  std::vector<fs::path> parts;
  for (std::size_t begin = 0; begin <= run.size();) {
    const std::size_t end = std::min(run.find(',', begin), run.size());
    parts.emplace_back(run.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The files, or folders of Criterion, of several processes of one program. Empty if RUN is not such a list.
std::vector<fs::path> listed_files(const std::string& run) {
  std::vector<fs::path> files = parts_of(run);
  if (!std::all_of(files.begin(), files.end(), is_one_process)) files.clear();
  return files;
}

// What another tool wrote: a file, a folder or a list of them. Empty if RUN is a record, or nothing.
std::vector<fs::path> result_files(const std::string& run) {
  std::error_code ignored;
  if (fs::is_directory(run, ignored) && fs::path(run).extension() == launch::journal_extension) return {};
  if (fs::exists(run, ignored) && import::is_importable(run)) return {run};
  return fs::is_regular_file(run, ignored) ? std::vector<fs::path>{} : listed_files(run);
}

// Of a list of which some parts can be read: why not all can. Absent: RUN is not such a list.
std::optional<Error> unreadable_part(const std::string& run) {
  const std::vector<fs::path> parts = parts_of(run);
  const auto first = std::find_if_not(parts.begin(), parts.end(), is_one_process);
  if (first == parts.end() || std::none_of(parts.begin(), parts.end(), is_one_process)) return std::nullopt;
  std::error_code ignored;
  if (fs::is_directory(*first, ignored)) return import::unknown_folder(*first);
  return Error{ErrorCode::not_found,
               fmt::format("{}: no such file; it is part of the list {}", base::in_quotes(first->string()), run)};
}

base::Result<record::Run> load_unfinished(const fs::path& folder) {
  auto unfinished = launch::read_journal(folder);
  if (!unfinished) return unfinished.error();
  return std::move(unfinished).value().run;
}

// The samples of a replaced record. A record that cannot be read may name them, too.
void remove_unnamed_samples(const fs::path& folder, const record::SamplesFile& samples) {
  const auto all = saved_records(folder);
  if (!all) return;
  for (const fs::path& path : *all) {
    const auto run = record::load_run(path);
    if (!run || (run->samples && run->samples->sha256 == samples.sha256)) return;
  }
  std::error_code ignored;
  fs::remove(folder / (samples.sha256 + ".samples"), ignored);
}

bool contains(const record::Run& whole, const record::Process& process) {
  return std::any_of(whole.processes.begin(), whole.processes.end(), [&](const record::Process& each) {
    return each.started == process.started && each.suite == process.suite && each.group == process.group;
  });
}

// Of the files that may be the newest run and cannot be used, the one that was written last.
struct NewestUnusable {
  std::optional<Error> error;
  fs::file_time_type written = fs::file_time_type::min();

  // RUN, of file PATH, cannot be used: it cannot be read, or its time lies ahead.
  bool takes(const fs::path& path, const base::Result<record::Run>& run) {
    std::optional<Error> problem;
    if (!run) {
      problem = run.error().within("the newest run cannot be read; name another one, or remove the file");
    } else if (const auto checked = base::check_creation_time(path.string(), run->created); !checked) {
      problem =
          checked.error().within("the newest run has a time that lies ahead; name another one, or remove the file");
    } else {
      return false;
    }
    std::error_code ignored;
    const auto at = fs::last_write_time(path, ignored);
    if (!error || at > written) error = std::move(problem), written = at;
    return true;
  }

  // Than the run of file BEST, which is empty where there is none.
  [[nodiscard]] bool may_be_newer(const fs::path& best) const {
    std::error_code ignored;
    return error && (best.empty() || written >= fs::last_write_time(best, ignored));
  }
};

bool is_of_calibration(const record::Run& run) {
  return run.sides.front().label == calibration_side;
}

bool is_of_one_side(const record::Run& run) {
  return run.sides.size() == 1;
}

// The file of ALL that SHARD was merged into; of several, of that which misses the fewest shards. Absent: it was not merged.
std::optional<fs::path> merged_of(const record::Run& shard, const std::vector<fs::path>& all) {
  std::optional<fs::path> best;
  std::size_t missing = 0;
  for (const fs::path& path : all) {
    const auto run = record::load_run(path);
    if (!run || run->sides.size() != shard.sides.size() || run->plan.shards != 1 ||
        run->plan.division != shard.plan.division)
      continue;
    if (shard.processes.empty() || !contains(*run, shard.processes.front())) continue;
    if (!best || run->plan.missing_shards.size() < missing) best = path, missing = run->plan.missing_shards.size();
  }
  return best;
}

}  // namespace

base::Result<void> check_save_name(const std::optional<std::string>& name) {
  if (!name || (is_file_name(*name) && name->size() <= longest_name)) return {};
  return Error{
      ErrorCode::bad_input,
      fmt::format("--save \"{}\": invalid name; use one of at most {} bytes without slashes that does not begin "
                  "with a dot",
                  *name, longest_name)};
}

Directions directions_of(const policy::Import& settings) {
  auto directions = Directions::parse(settings.better);  // the key takes only what can be parsed
  return directions ? *std::move(directions) : Directions();
}

base::Result<void> check_better(const policy::Import& settings, const std::vector<std::string>& runs) {
  const auto is_file = [](const std::string& run) { return !result_files(run).empty(); };
  if (!settings.better_asked || std::any_of(runs.begin(), runs.end(), is_file)) return {};
  return Error{ErrorCode::bad_input,
               "--better: no result file of another tool is read, and a saved run keeps the directions that it was "
               "measured or imported with; remove it, or give it to `torchgate run` or `torchgate import`"};
}

Workspace::Workspace(const policy::Import& settings) : Workspace() {
  directions_ = directions_of(settings);
}

base::Result<void> Workspace::check_writable() const {
  // Enough for a small run. A large one needs megabytes, but free space may change until it is saved.
  constexpr std::int64_t enough_bytes = std::int64_t{1} << 20;
  std::error_code error;
  base::create_folders(runs(), error);
  if (error) return base::system_error(runs(), "create the folder", error.value());
  auto writable = base::check_writable(runs() / ("run" + std::string(record_extension)), enough_bytes);
  if (!writable)
    return Error{ErrorCode::io,
                 fmt::format("the run could not be saved, so nothing was measured: {}", writable.error().message)};
  return {};
}

void Workspace::remove_abandoned() const {
  base::remove_abandoned_files(folder_);
  base::remove_abandoned_files(runs());
  std::error_code error;
  for (fs::directory_iterator it(runs(), error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == launch::journal_extension) base::remove_abandoned_files(it->path());
}

base::Result<fs::path> Workspace::save(record::Run& run, const std::optional<std::string>& name) const {
  const std::string file = name.value_or(run.id);
  if (auto valid = check_save_name(file); !valid) return valid.error();
  const fs::path folder = folder_ / "runs";
  std::error_code error;
  base::create_folders(folder, error);
  if (error) return base::system_error(folder, "create the folder", error.value());
  fs::path path = folder / (file + record_extension);
  const auto replaced = record::load_run(path);
  if (auto saved = record::save_run(run, path, true); !saved) return saved.error();
  if (replaced && replaced->samples) remove_unnamed_samples(folder, *replaced->samples);
  return path;
}

base::Result<record::Run> Workspace::load(const std::string& run, const std::string& instead) const {
  auto loaded = load_any(run, instead);
  if (!loaded) return loaded;
  if (auto checked = base::check_creation_time(run, loaded->created); !checked) return checked.error();
  return loaded;
}

std::string Workspace::for_a_shell(const std::string& run) const {
  if (!run.starts_with('-')) return base::for_a_shell(run);
  std::error_code ignored;
  const fs::path named = runs() / (run + record_extension);
  return base::for_a_shell(fs::is_regular_file(named, ignored) ? named.string() : "./" + run);
}

base::Result<record::Run> Workspace::load_any(const std::string& run, const std::string& instead) const {
  if (auto one = check_one_meaning(run, runs()); !one) return one.error();
  if (const auto files = result_files(run); !files.empty()) return import::import_run(files, version, directions_);
  std::error_code ignored;
  if (fs::is_regular_file(run, ignored)) {
    auto loaded = load_with_samples(run);
    // Neither ours nor known: the import says which formats are.
    if (!loaded && loaded.error().code == ErrorCode::bad_input && !import::is_record(run))
      return import::is_report(run)
                 ? Error{ErrorCode::bad_input, run + ": a report, not a run; name the run that it is of"}
                 : import::import_run({run}, version, directions_);
    return loaded;
  }
  if (fs::path(run).extension() == launch::journal_extension && fs::is_directory(run, ignored))
    return load_unfinished(run);
  std::string unreadable;  // any of them may be the one
  if (is_file_name(run)) {
    const fs::path named = folder_ / "runs" / (run + record_extension);
    if (fs::is_regular_file(named, ignored)) return load_with_samples(named);
    const auto all = saved_records(runs());
    if (!all) return all.error();
    for (const fs::path& path : *all) {
      auto candidate = record::load_run(path);
      if (candidate && candidate->id == run) return load_with_samples(path);
      if (!candidate) unreadable += fmt::format("; unreadable: {}", candidate.error().message);
    }
    if (const fs::path part = runs() / (run + launch::journal_extension); fs::is_directory(part, ignored))
      return load_unfinished(part);
  }
  if (fs::is_directory(run, ignored)) return import::unknown_folder(run);
  if (auto unreadable_one = unreadable_part(run)) return *std::move(unreadable_one);
  if (fs::exists(run, ignored))
    return Error{ErrorCode::bad_input, fmt::format("{}: not a regular file; write it to a file first", run)};
  const std::string measure = fmt::format("measure one with `torchgate run {}`",
                                          base::option_for_a_shell("--save", is_file_name(run) ? run : "NAME"));
  return Error{ErrorCode::not_found,
               fmt::format("no run \"{}\": no such file, and no run of that name or id in {}; {}{}", run,
                           runs().string(), instead.empty() ? measure : instead, unreadable)};
}

std::vector<record::Run> Workspace::recent(std::size_t count) const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  const auto all = saved_records(runs());
  for (const fs::path& path : all ? *all : std::vector<fs::path>{}) {
    std::error_code error;
    if (const auto time = fs::last_write_time(path, error); !error) files.emplace_back(time, path);
  }
  std::sort(files.rbegin(), files.rend());
  std::vector<record::Run> found;
  for (const auto& [time, path] : files) {
    if (found.size() == count) break;
    if (auto run = record::load_run(path)) found.push_back(std::move(run).value());
  }
  return found;
}

base::Result<record::Run> Workspace::newest() const {
  return newest_of(is_of_one_side);
}

base::Result<record::Run> Workspace::newest_with_pairs() const {
  return newest_of([](const record::Run& run) {
    return is_of_one_side(run) || !run.plan.confirms || run.plan.confirms->run.empty();
  });
}

base::Result<record::Run> Workspace::newest_of(bool (*is_wanted)(const record::Run&)) const {
  std::optional<record::Run> best;
  fs::path best_path;
  NewestUnusable unusable;
  bool calibrated = false;
  const auto all = saved_records(runs());
  if (!all) return all.error();
  for (const fs::path& path : *all) {
    auto run = record::load_run(path);
    if (run && !is_wanted(*run)) continue;
    if (run && is_of_calibration(*run)) {
      calibrated = true;
      continue;
    }
    if (unusable.takes(path, run)) continue;
    if (!best || run->created > best->created) {
      best = std::move(run).value();
      best_path = path;
    }
  }
  // A merged run has the time of its first shard, so that one of few shards may be newer than that of all.
  if (best && (best->plan.shards > 1 || !best->plan.missing_shards.empty()))
    best_path = merged_of(*best, *all).value_or(best_path);
  // The run before the newest one does not contain the change, so it must not be judged instead.
  if (unusable.may_be_newer(best_path)) return *unusable.error;
  if (!best) {
    return Error{ErrorCode::not_found,
                 fmt::format("no run in {} yet{}; measure one with `torchgate run`", runs().string(),
                             calibrated ? ", other than those of `torchgate calibrate`, which measure noise" : "")};
  }
  return load_with_samples(best_path);
}

base::Result<std::optional<record::Run>> Workspace::newest_pairs(const std::string& case_name) const {
  std::optional<record::Run> best;
  fs::path best_path;
  NewestUnusable unusable;
  const auto all = saved_records(runs());
  if (!all) return all.error();
  for (const fs::path& path : *all) {
    auto run = record::load_run(path);
    if (!run || run->sides.size() != 2 || !measured_on(*run, 0, case_name) || !measured_on(*run, 1, case_name))
      continue;
    if (unusable.takes(path, run)) continue;
    if (best && run->created <= best->created) continue;
    best = std::move(run).value();
    best_path = path;
  }
  if (unusable.may_be_newer(best_path)) return *unusable.error;
  return best;
}

std::optional<record::Run> Workspace::pairs_of(const std::string& before, const std::string& after) const {
  std::optional<record::Run> best;
  const auto all = saved_records(runs());
  for (const fs::path& path : all ? *all : std::vector<fs::path>{}) {
    auto run = record::load_run(path);
    if (!run || run->sides.size() != 2 || !run->plan.confirms) continue;
    if (run->plan.confirms->run != after || run->plan.confirms->baseline != before) continue;
    if (!best || run->created > best->created) best = std::move(run).value();
  }
  return best;
}

}  // namespace torchgate::workflow
