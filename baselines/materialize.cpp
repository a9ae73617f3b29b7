// SPDX-License-Identifier: Apache-2.0
#include "baselines/materialize.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "baselines/place_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/record/process.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

bool known_in_place(const ExpectedObject& object, const MayRunInPlace& in_place) {
  return in_place && fs::path(object.path).is_absolute() && in_place(object);
}

bool unchanged_in_place(const ExpectedObject& object) {
  const auto hash = base::sha256_of_file(object.path);
  return hash && *hash == object.sha256;
}

bool is_plain_file_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// Names come out of a record: "../../.bashrc" must not become a path.
bool has_usable_names(const ExpectedObject& object) {
  return is_plain_file_name(fs::path(object.path).filename().string()) &&
         (object.executable || is_plain_file_name(object.soname));
}

/// The paths of OBJECT. A library gets two: its soname, which DT_NEEDED names, and the name of its file, which dlopen may
/// have named.
std::vector<fs::path> destinations(const ExpectedObject& object, const fs::path& folder) {
  const std::string own_name = fs::path(object.path).filename().string();
  if (object.executable) return {folder / "bin" / own_name};
  std::vector<fs::path> paths{folder / "lib" / "all" / object.soname};
  if (own_name != object.soname) paths.push_back(folder / "lib" / "all" / own_name);
  return paths;
}

Result<void> check_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder, failed) && !fs::is_empty(folder, failed)) {
    return Error{ErrorCode::bad_input, folder.string() + " is not empty; give a new folder for the baseline's files"};
  }
  if (failed) return Error{ErrorCode::io, "cannot read folder " + folder.string() + ": " + failed.message()};
  if (folder.string().find_first_of(":;") != std::string::npos) {
    return Error{ErrorCode::bad_input, folder.string() +
                                           " is not possible in LD_LIBRARY_PATH, where ':' and ';' separate "
                                           "folders; give a folder without them"};
  }
  return {};
}

/// From where it was, if it is known there and still the same content, else from the store.
Result<void> place(const ExpectedObject& object, const Store* store, const MayRunInPlace& in_place,
                   const fs::path& to) {
  if (known_in_place(object, in_place)) {
    auto placed = place_file(object.path, to, object.sha256, CopyMode::as_it_was);
    if (placed || placed.error().code == ErrorCode::io) return placed;
  }
  if (store == nullptr) return Error{ErrorCode::not_found, "no store"};
  return store->get_object(object.sha256, to);
}

std::string description(const ExpectedObject& object) {
  return object.path + (object.sha256.empty() ? " (no recorded hash)" : " (sha256 " + object.sha256 + ")");
}

}  // namespace

Result<RunnableSide> materialize(const Store* store, const record::Run& baseline, const std::string& suite,
                                 const fs::path& folder, const MayRunInPlace& in_place) {
  const auto all = expected_objects(baseline, suite);
  if (!all) return all.error();
  std::vector<ExpectedObject> own;
  std::copy_if(all->begin(), all->end(), std::back_inserter(own),
               [](const auto& object) { return record::is_own_file(object); });
  const auto runs_in_place = [&](const auto& object) {
    return known_in_place(object, in_place) && unchanged_in_place(object);
  };
  std::vector<PlacedFile> files;
  if (std::all_of(own.begin(), own.end(), runs_in_place)) {
    for (const auto& object : own) files.push_back({object.path, object.sha256});
    return RunnableSide{own.front().path, {}, *all, std::move(files)};
  }

  const fs::path absolute = fs::absolute(folder);
  if (auto checked = check_folder(absolute); !checked) return checked.error();
  if (const auto odd = std::find_if_not(own.begin(), own.end(), has_usable_names); odd != own.end()) {
    return Error{ErrorCode::bad_input, "run " + baseline.id + " has an object with an invalid file name: '" +
                                           odd->soname + "' at '" + odd->path + "'"};
  }
  std::string missing;
  for (const auto& object : own) {
    for (const auto& to : destinations(object, absolute)) {
      auto placed = place(object, store, in_place, to);
      if (placed) files.push_back({to, object.sha256});
      if (placed) continue;
      if (placed.error().code == ErrorCode::io) return placed.error().within("restoring suite " + suite);
      missing += (missing.empty() ? "" : ", ") + description(object);
      break;
    }
  }
  if (!missing.empty()) {
    std::error_code ignored;
    fs::remove_all(absolute / "bin", ignored);
    fs::remove_all(absolute / "lib", ignored);
    return Error{ErrorCode::not_found,
                 "suite " + suite + " of run " + baseline.id +
                     " cannot be run again, so it cannot be confirmed: " + missing + " is missing in " +
                     (store == nullptr ? "the store (none was given)" : store->location()) +
                     ", and is not an unchanged file that was launched from this workspace; rebuild the "
                     "baseline's commit and compare with `torchgate ab`, or allow running recorded files "
                     "at their original paths with --run-recorded-files"};
  }
  return RunnableSide{destinations(own.front(), absolute).front(),
                      {{"LD_LIBRARY_PATH", (absolute / "lib" / "all").string()}},
                      *all,
                      std::move(files)};
}

}  // namespace torchgate::baselines
