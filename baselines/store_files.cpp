// SPDX-License-Identifier: Apache-2.0
#include "baselines/store_files.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "baselines/entry_name.hpp"
#include "baselines/folder_store.hpp"
#include "baselines/pins.hpp"
#include "baselines/place_file.hpp"
#include "baselines/safe_name.hpp"
#include "baselines/writer_lock.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/hexadecimal.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t sha256_digits = 64;
constexpr std::size_t object_folder_digits = 2;
constexpr std::size_t time_digits = std::string_view("YYYYMMDDhhmmssmmm").size();
constexpr std::string_view record_extension = ".json";
constexpr std::string_view samples_extension = ".samples";
constexpr std::string_view waivers_extension = ".toml";
constexpr std::size_t most_comment_digits = 20;

bool is_sha256(std::string_view text) {
  return text.size() == sha256_digits && base::is_lower_hex(text);
}

/// NAME without EXTENSION; empty if it does not end so.
std::string_view stem_of(std::string_view name, std::string_view extension) {
  if (!name.ends_with(extension)) return {};
  name.remove_suffix(extension.size());
  return name;
}

bool is_time(std::string_view text) {
  return text.size() == time_digits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The number of the comment that accepted a slow-down.
bool is_comment(std::string_view text) {
  return !text.empty() && text.size() <= most_comment_digits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string only_digits(const std::string& time) {
  std::string digits = time;
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  return digits;
}

Error not_what_it_says(const StoreFile& file, const std::string& problem) {
  return {ErrorCode::bad_input, file.path + ": " + problem +
                                    "; restore the file from an older commit of its branch, or from the store that "
                                    "pushed it"};
}

Result<void> check_hash(const StoreFile& file, const fs::path& content) {
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(content, failed))) return not_what_it_says(file, "not a regular file");
  const auto hash = base::sha256_of_file(content);
  if (!hash) return hash.error();
  if (*hash != file.sha256) return not_what_it_says(file, "its content has another hash, " + *hash);
  return {};
}

Result<void> check_marker_text(const StoreFile& file, const fs::path& content) {
  const auto text = base::read_file(content, static_cast<std::int64_t>(store_marker_text.size()), base::Links::refused);
  if (text && *text == store_marker_text) return {};
  return Error{ErrorCode::bad_input,
               file.path +
                   ": not the marker of a torchgate.store/1; another version of torchgate wrote it (use that "
                   "one), or it is not a store"};
}

Result<void> check_record(const StoreFile& file, const fs::path& content) {
  const auto run = record::load_run(content, base::Links::refused);
  if (!run) return not_what_it_says(file, "the record cannot be read: " + run.error().message);
  const auto entry = entry_of(*run, file.entry->commit.has_value());
  if (!entry) return not_what_it_says(file, entry.error().message);
  if (*entry != *file.entry) return not_what_it_says(file, "its content is that of " + file_name(*entry));
  return {};
}

Result<void> check_calibration(const StoreFile& file, const fs::path& content) {
  const auto text = base::read_file(content, calibration_limit_bytes, base::Links::refused);
  if (!text) return text.error();
  const auto calibration = record::calibration_from_json(*text, file.path);
  if (!calibration) return not_what_it_says(file, "the record cannot be read: " + calibration.error().message);
  const std::string time(stem_of(fs::path(file.path).filename().string(), record_extension));
  if (calibration->host_key != file.host_key || only_digits(calibration->created) != time)
    return not_what_it_says(file, "its content is of another host or time");
  return {};
}

Result<void> check_pin(const StoreFile& file, const fs::path& content) {
  const auto text = base::read_file(content, pin_limit_bytes, base::Links::refused);
  if (!text) return text.error();
  const auto pin = pin_from_json(*text, file.path);
  if (!pin) return not_what_it_says(file, "the record cannot be read: " + pin.error().message);
  const fs::path path(file.path);
  return check_pin_place(*pin, path.parent_path().filename().string(), path.filename().string(), file.path);
}

/// What it says is read by the gate that is given it; here it only has to be small and a file.
Result<void> check_waivers(const fs::path& content) {
  const auto text = base::read_file(content, waivers_limit_bytes, base::Links::refused);
  return text ? Result<void>() : text.error();
}

/// The files in FOLDER/PART whose names are part of the layout.
std::vector<StoreFile> stored_in(const fs::path& folder, const char* part) {
  std::vector<StoreFile> files;
  std::error_code failed;
  const fs::path all = folder / part;
  for (fs::recursive_directory_iterator it(all, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code vanished;
    if (it->symlink_status(vanished).type() != fs::file_type::regular) continue;
    auto file = parse_store_path(it->path().lexically_relative(folder).generic_string());
    if (file) files.push_back(std::move(*file));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

StoreFile file_of(const Entry& entry) {
  return {FileKind::record, "runs/" + entry.host_key + "/" + file_name(entry), entry.host_key, {}, entry};
}

Result<void> place(const StoreFile& file, const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(to, ignored))) return {};  // another process placed it just now
  if (file.kind == FileKind::object) return place_file(from, to, file.sha256, CopyMode::as_it_was);
  const auto bytes = base::read_file(from, record::max_samples_bytes, base::Links::refused);
  if (!bytes) return bytes.error();
  if (auto made = make_folders(to.parent_path()); !made) return made;
  return base::write_file_atomically(to, *bytes, false);
}

/// A run is stored once, under one name: its id is what it is loaded by.
Result<void> check_ids(const Store& store, const std::vector<StoreFile>& files) {
  const auto entries = store.list({});
  if (!entries) return entries.error();
  std::map<std::string, std::string> stored;
  for (const Entry& entry : *entries) stored.emplace(entry.id, file_of(entry).path);
  for (const StoreFile& file : files) {
    if (!file.entry) continue;
    const auto [known, is_new] = stored.emplace(file.entry->id, file.path);
    if (is_new || known->second == file.path) continue;
    return Error{ErrorCode::bad_input, "run " + file.entry->id + " has two records, " + known->second + " and " +
                                           file.path + "; remove the one that is wrong"};
  }
  return {};
}

}  // namespace

std::optional<StoreFile> parse_store_path(std::string_view path) {
  StoreFile file;
  file.path = std::string(path);
  if (path == store_marker_name) return file;
  const auto first = path.find('/');
  const auto second = first == std::string_view::npos ? first : path.find('/', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view part = path.substr(0, first);
  const std::string_view folder = path.substr(first + 1, second - first - 1);
  const std::string_view name = path.substr(second + 1);
  if (name.find('/') != std::string_view::npos) return std::nullopt;
  if (part == "objects") {
    if (!is_sha256(name) || folder != name.substr(0, object_folder_digits)) return std::nullopt;
    file.kind = FileKind::object;
    file.sha256 = std::string(name);
    return file;
  }
  if (part == "waivers") {
    const auto comment = stem_of(name, waivers_extension);
    const bool is_commit = record::is_full_commit(folder);
    if (!is_commit || !is_comment(comment)) return std::nullopt;
    file.kind = FileKind::waivers;
    return file;
  }
  if (!is_safe_folder_name(folder)) return std::nullopt;
  if (part == "pins") {
    if (!is_time(stem_of(name, record_extension))) return std::nullopt;
    file.kind = FileKind::pin;
    return file;
  }
  file.host_key = std::string(folder);
  if (part == "calibrations" && is_time(stem_of(name, record_extension))) {
    file.kind = FileKind::calibration;
    return file;
  }
  if (part != "runs") return std::nullopt;
  if (const auto hash = stem_of(name, samples_extension); is_sha256(hash)) {
    file.kind = FileKind::samples;
    file.sha256 = std::string(hash);
    return file;
  }
  file.kind = FileKind::record;
  file.entry = parse_file_name(name, file.host_key);
  return file.entry ? std::optional(std::move(file)) : std::nullopt;
}

namespace {

Result<void> check_kind(const StoreFile& file, const fs::path& content) {
  switch (file.kind) {
    case FileKind::marker:
      return check_marker_text(file, content);
    case FileKind::object:
    case FileKind::samples:
      return check_hash(file, content);
    case FileKind::calibration:
      return check_calibration(file, content);
    case FileKind::waivers:
      return check_waivers(content);
    case FileKind::record:
      return check_record(file, content);
    case FileKind::pin:
      return check_pin(file, content);
  }
  return Error{ErrorCode::internal, "unknown kind of file"};
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

Result<void> check_content(const StoreFile& file, const fs::path& content) {
  auto checked = check_kind(file, content);
  if (checked) return checked;
  // A copy of a branch is in a folder that is gone when the message is read, as is what stands beside it.
  Error error = checked.error();
  replace_all(error.message, file.path + ": the record cannot be read: " + content.string(),
              file.path + ": the record cannot be read");
  replace_all(error.message, content.string(), file.path);
  if (content.has_parent_path())
    replace_all(error.message, (content.parent_path() / "").string(),
                (fs::path(file.path).parent_path() / "").string());
  return error;
}

Result<std::vector<StoreFile>> shared_files(const fs::path& folder) {
  const auto store = open_folder_store(folder, OpenMode::existing);
  if (!store) return store.error();
  const auto entries = (*store)->list({});
  if (!entries) return entries.error();
  std::vector<StoreFile> files{*parse_store_path(store_marker_name)};
  for (const Entry& entry : *entries) {
    if (entry.commit) files.push_back(file_of(entry));
  }
  for (const char* part : {"calibrations", "waivers", "pins"}) {
    const auto stored = stored_in(folder, part);
    files.insert(files.end(), stored.begin(), stored.end());
  }
  return files;
}

Result<std::vector<StoreFile>> files_of_record(const fs::path& folder, const StoreFile& record,
                                               std::uint64_t objects_up_to) {
  const auto run = record::load_run(folder / record.path, base::Links::refused);
  if (!run) return run.error();
  std::vector<std::string> paths;
  if (run->samples) paths.push_back("runs/" + record.host_key + "/" + run->samples->sha256 + ".samples");
  for (const auto& object : run->objects) {
    if (object.system || object.bytes < 0 || static_cast<std::uint64_t>(object.bytes) > objects_up_to) continue;
    paths.push_back("objects/" + object.sha256.substr(0, object_folder_digits) + "/" + object.sha256);
  }
  for (const auto& file : run->files)
    if (is_sha256(file.sha256))
      paths.push_back("objects/" + file.sha256.substr(0, object_folder_digits) + "/" + file.sha256);
  std::vector<StoreFile> files;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    auto file = parse_store_path(path);
    std::error_code absent;
    if (!file || !seen.insert(path).second || !fs::is_regular_file(fs::symlink_status(folder / path, absent))) continue;
    // The size in the record is that of the file that ran; an object of another size fails its hash.
    const bool too_large = file->kind == FileKind::object && fs::file_size(folder / path, absent) > objects_up_to;
    if (!too_large) files.push_back(std::move(*file));
  }
  return files;
}

Result<void> place_files(const fs::path& folder, const fs::path& from, std::vector<StoreFile> files) {
  const auto store = open_folder_store(folder, OpenMode::existing);
  if (!store) return store.error();
  const auto lock = WriterLock::take(folder / store_marker_name);
  if (!lock) return lock.error();
  if (auto checked = check_ids(**store, files); !checked) return checked;
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
  for (const StoreFile& file : files) {
    if (auto placed = place(file, from / file.path, folder / file.path); !placed) return placed;
  }
  return {};
}

}  // namespace torchgate::baselines
