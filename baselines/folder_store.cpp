// SPDX-License-Identifier: Apache-2.0
#include "baselines/folder_store.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include "baselines/entry_name.hpp"
#include "baselines/pins.hpp"
#include "baselines/place_file.hpp"
#include "baselines/safe_name.hpp"
#include "baselines/store_checks.hpp"
#include "baselines/writer_lock.hpp"
#include "harness/base/abandoned_files.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/creation_time.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::int64_t marker_limit_bytes = 4096;

struct Found {
  Entry entry;
  fs::path path;
};

/// The entries of FOLDER that are of TYPE themselves (no symbolic links); none when there is no such folder.
Result<std::vector<fs::path>> children(const fs::path& folder, fs::file_type type) {
  std::error_code failed;
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code vanished;
    if (it->symlink_status(vanished).type() == type) paths.push_back(it->path());
  }
  if (failed && failed != std::errc::no_such_file_or_directory) {
    return Error{ErrorCode::io, "cannot list " + folder.string() + ": " + failed.message()};
  }
  return paths;
}

bool is_file(const fs::path& path) {
  std::error_code absent;
  return fs::symlink_status(path, absent).type() == fs::file_type::regular;
}

class FolderStore final : public Store {
 public:
  explicit FolderStore(fs::path root) : root_(std::move(root)) {}

  [[nodiscard]] std::string location() const override { return root_.string(); }

  Result<PutOutcome> put(const record::Run& run, bool of_commit) override {
    const auto entry = entry_of(run, of_commit);
    if (!entry) return entry.error();
    const auto lock = WriterLock::take(root_ / store_marker_name);
    if (!lock) return lock.error();
    const auto twins = find(run.id, std::nullopt);
    if (!twins) return twins.error();
    if (!twins->empty()) return compare_with_stored(run, *entry, twins->front());

    const fs::path folder = root_ / "runs" / entry->host_key;
    if (auto made = make_folders(folder); !made) return made.error();
    record::Run written = run;
    if (auto saved = record::save_run(written, folder / file_name(*entry), false); !saved) return saved.error();
    return PutOutcome::added;
  }

  [[nodiscard]] Result<std::vector<Entry>> list(const ListFilter& filter) const override {
    auto found = find("", filter.host_key);
    if (!found) return found.error();
    std::vector<Entry> entries;
    std::map<std::string, fs::path> listed;
    for (auto& one : *found) {
      const auto [file, is_new] = listed.try_emplace(one.entry.id, std::move(one.path));
      if (!is_new) file->second.clear();
      entries.push_back(std::move(one.entry));
    }
    if (!filter.host_key) listed_ = std::move(listed);
    return entries;
  }

  [[nodiscard]] Result<record::Run> load(const std::string& id_or_prefix) const override {
    const auto found = find_one(id_or_prefix);
    if (!found) return found.error();
    auto run = record::load_run(found->path, base::Links::refused);
    if (run && run->id != found->entry.id) {
      return Error{ErrorCode::bad_input, found->path.string() + ": damaged: it contains run '" + run->id + "'"};
    }
    return run;
  }

  Result<void> load_samples(record::Run& run) const override {
    const auto found = find_one(run.id);
    if (!found) return found.error();
    return record::load_samples(run, found->path);
  }

  Result<PutOutcome> put_object(const fs::path& file, const std::string& sha256) override {
    const auto kept = object_path(sha256);
    if (!kept) return kept.error();
    // A damaged kept object is replaced: its bytes may be shared with a file (hard link) that was written to.
    if (const auto hash = base::sha256_of_file(*kept); hash && *hash == sha256) return PutOutcome::already_there;
    if (auto placed = place_file(file, *kept, sha256, CopyMode::as_it_was); !placed) return placed.error();
    return PutOutcome::added;
  }

  Result<void> get_object(const std::string& sha256, const fs::path& to) const override {
    const auto kept = object_path(sha256);
    if (!kept) return kept.error();
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(to, ignored))) {
      return Error{ErrorCode::bad_input, to.string() + ": already exists; choose a new file"};
    }
    return place_file(*kept, to, sha256, CopyMode::executable);
  }

  [[nodiscard]] Result<bool> has_object(const std::string& sha256) const override {
    const auto kept = object_path(sha256);
    if (!kept) return kept.error();
    std::error_code absent;
    return fs::is_regular_file(fs::symlink_status(*kept, absent));
  }

  Result<void> put_calibration(const record::Calibration& calibration) override {
    if (auto checked = check_calibration(calibration); !checked) return checked;
    const fs::path folder = root_ / "calibrations" / calibration.host_key;
    if (auto made = make_folders(folder); !made) return made;
    return base::write_file_atomically(folder / (time_digits(calibration.created) + ".json"),
                                       record::to_json(calibration), false);
  }

  [[nodiscard]] Result<NewestCalibration> calibration(const std::string& host_key) const override {
    NewestCalibration found;
    if (!is_safe_folder_name(host_key)) return found;
    auto files = children(root_ / "calibrations" / host_key, fs::file_type::regular);
    if (!files) return files.error();
    std::erase_if(*files, [](const fs::path& file) { return file.extension() != ".json"; });
    std::sort(files->begin(), files->end());  // names are times
    const std::string latest = time_digits(base::latest_creation_time());
    const auto later = std::ranges::find_if(*files, [&](const fs::path& file) { return file.stem() > latest; });
    if (later != files->end()) found.warning = calibration_ignored(files->back().string(), "remove this file");
    if (later == files->begin()) return found;
    const fs::path newest = *std::prev(later);
    const auto text = base::read_file(newest, calibration_limit_bytes, base::Links::refused);
    if (!text) return text.error();
    auto read = record::calibration_from_json(*text, newest.string());
    const std::string repair = "; remove this file, or run `torchgate calibrate` again";
    if (!read) return Error{read.error().code, read.error().message + repair};
    if (time_digits(read->created) != newest.stem())
      return Error{ErrorCode::bad_input,
                   newest.string() + ": its time, " + read->created + ", differs from the file name" + repair};
    found.calibration = std::move(read).value();
    return found;
  }

  [[nodiscard]] Result<std::vector<std::string>> calibrated_hosts() const override {
    const auto folders = children(root_ / "calibrations", fs::file_type::directory);
    if (!folders) return folders.error();
    std::vector<std::string> hosts;
    for (const fs::path& folder : *folders) hosts.push_back(folder.filename().string());
    std::sort(hosts.begin(), hosts.end());
    return hosts;
  }

  Result<void> put_pin(const Pin& pin) override {
    const auto lock = WriterLock::take(root_ / store_marker_name);
    if (!lock) return lock.error();
    if (auto stored = check_pinned_runs(pin); !stored) return stored;
    return write_pin(root_, pin);
  }

  Result<Pin> add_pin(const Pin& pin, PinBefore before) override {
    const auto lock = WriterLock::take(root_ / store_marker_name);
    if (!lock) return lock.error();
    if (auto stored = check_pinned_runs(pin); !stored) return stored.error();
    return write_next_pin(root_, pin, before);
  }

  [[nodiscard]] Result<std::optional<Pin>> pin(const std::string& name) const override { return read_pin(root_, name); }

  [[nodiscard]] Result<PinList> pins() const override { return read_pins(root_); }

 private:
  [[nodiscard]] Result<void> check_pinned_runs(const Pin& pin) const {
    for (const std::string& id : pin.runs) {
      const auto found = find_one(id);
      if (!found) return found.error();
      if (auto stored = check_pinned_run(pin, id, found->entry.commit); !stored) return stored;
    }
    return {};
  }

  [[nodiscard]] Result<fs::path> object_path(const std::string& sha256) const {
    if (auto checked = check_object_hash(sha256); !checked) return checked.error();
    return root_ / "objects" / sha256.substr(0, 2) / sha256;
  }

  /// The records whose id starts with PREFIX, oldest first.
  [[nodiscard]] Result<std::vector<Found>> find(const std::string& prefix,
                                                const std::optional<std::string>& host_key) const {
    const auto hosts = children(root_ / "runs", fs::file_type::directory);
    if (!hosts) return hosts.error();
    std::vector<Found> found;
    for (const auto& host : *hosts) {
      const std::string host_name = host.filename().string();
      if (host_key && *host_key != host_name) continue;
      std::error_code failed;
      for (fs::directory_iterator file(host, failed), end; !failed && file != end; file.increment(failed)) {
        auto entry = parse_file_name(file->path().filename().string(), host_name);
        if (entry && entry->id.starts_with(prefix) && is_file(file->path()))
          found.push_back({std::move(*entry), file->path()});
      }
      if (failed && failed != std::errc::no_such_file_or_directory)
        return Error{ErrorCode::io, "cannot list " + host.string() + ": " + failed.message()};
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return std::tie(a.entry.created, a.entry.id) < std::tie(b.entry.created, b.entry.id);
    });
    return found;
  }

  [[nodiscard]] Result<Found> find_one(const std::string& id_or_prefix) const {
    if (auto checked = check_run_prefix(id_or_prefix); !checked) return checked.error();
    // A listing of each run for each run of thousands would take minutes.
    if (const auto listed = listed_.find(id_or_prefix); listed != listed_.end() && is_file(listed->second)) {
      auto entry =
          parse_file_name(listed->second.filename().string(), listed->second.parent_path().filename().string());
      if (entry) return Found{std::move(*entry), listed->second};
    }
    auto found = find(id_or_prefix, std::nullopt);
    if (!found) return found.error();
    std::vector<std::string> ids;
    for (const auto& one : *found) ids.push_back(one.entry.id);
    if (auto checked = check_only_one(id_or_prefix, ids, location()); !checked) return checked.error();
    return std::move(found->front());
  }

  [[nodiscard]] static Result<PutOutcome> compare_with_stored(const record::Run& run, const Entry& entry,
                                                              const Found& stored) {
    const Error clash{ErrorCode::bad_input,
                      "run " + run.id + " is already in the store as " + stored.path.string() +
                          ", with different content or a different role; stored runs never change"};
    if (entry != stored.entry) return clash;
    auto there = record::load_run(stored.path, base::Links::refused);
    if (!there) return there.error();
    const auto load = [&](record::Run& loaded) { return record::load_samples(loaded, stored.path); };
    const auto same = is_same_run(run, std::move(there).value(), load);
    if (!same) return same.error();
    return *same ? Result<PutOutcome>(PutOutcome::already_there) : Result<PutOutcome>(clash);
  }

  fs::path root_;
  mutable std::map<std::string, fs::path>
      listed_;  // by id, as of the last list() of all hosts; empty: two records have that id
};

/// The marker is written before anything else, so a folder with runs but without it is not (or no longer) a store.
Result<void> make_store(const fs::path& folder) {
  if (auto made = make_folders(folder); !made) return made;
  std::error_code ignored;
  base::create_folders(folder, ignored);  // for the .gitignore of the workspace
  for (const char* part : {"runs", "objects"}) {
    // In this order: another process may be making the store just now, and it writes the marker before these.
    if (fs::exists(folder / part) && !fs::exists(folder / store_marker_name)) {
      return Error{ErrorCode::bad_input, folder.string() + " has a folder '" + part + "' but no " +
                                             std::string(store_marker_name) + "; choose another folder for the store"};
    }
  }
  auto written = base::write_file_atomically(folder / store_marker_name, store_marker_text, false);
  if (!written && fs::exists(folder / store_marker_name)) return {};  // another process made the store just now
  return written;
}

Result<void> check_marker(const fs::path& folder) {
  const auto text = base::read_file(folder / store_marker_name, marker_limit_bytes, base::Links::refused);
  if (!text) return text.error();
  if (*text == store_marker_text) return {};
  return Error{ErrorCode::bad_input,
               (folder / store_marker_name).string() +
                   ": invalid marker of a torchgate.store/1; either another version of torchgate created "
                   "the store (use that one), or the file is damaged"};
}

/// What writers that were killed left: in every folder that files are written into. A few milliseconds, however many runs.
void sweep(const fs::path& root) {
  base::remove_abandoned_files(root);
  for (const char* part : {"runs", "objects", "calibrations", "pins"}) {
    const auto folders = children(root / part, fs::file_type::directory);
    if (!folders) continue;
    for (const fs::path& folder : *folders) base::remove_abandoned_files(folder);
  }
}

/// What to do where FOLDER has no store. A command may have been started in a subfolder of the one that has it.
std::string how_to_get_one(const fs::path& folder) {
  constexpr const char* create =
      "create it and add the first run with `torchgate baseline add`, or copy that of a data branch with `torchgate "
      "baseline pull`";
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed || folder.is_absolute()) return create;
  for (fs::path each = here.parent_path(); each.has_relative_path(); each = each.parent_path()) {
    const fs::path other = (each / folder).lexically_normal();
    if (fs::exists(other / store_marker_name, failed))
      return "there is one in " + other.string() + ": run torchgate in " + each.string() + ", or name it with --store";
  }
  return create;
}

}  // namespace

Result<std::unique_ptr<Store>> open_folder_store(const fs::path& folder, OpenMode mode) {
  std::error_code failed;
  if (!fs::exists(folder / store_marker_name, failed)) {
    if (failed) return Error{ErrorCode::io, "cannot read folder " + folder.string() + ": " + failed.message()};
    if (mode == OpenMode::existing) {
      return Error{ErrorCode::no_verdict, "no baseline store in " + folder.string() + "; " + how_to_get_one(folder)};
    }
    if (auto made = make_store(folder); !made) return made.error();
  }
  if (auto checked = check_marker(folder); !checked) return checked.error();
  sweep(folder);
  return std::unique_ptr<Store>(std::make_unique<FolderStore>(folder));
}

}  // namespace torchgate::baselines
