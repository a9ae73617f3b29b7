// SPDX-License-Identifier: Apache-2.0
// The files of a folder store as they are, byte for byte: what a data branch carries from one store to another.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// Of a file of waivers. One waiver has 500 bytes of reason; a person accepts some cases of a commit at once.
inline constexpr std::int64_t waivers_limit_bytes = 64 << 10;

/// In the order in which they are placed: a listed record has its samples and its objects, and a pin its runs.
enum class FileKind { marker, object, samples, calibration, waivers, record, pin };

struct StoreFile {
  FileKind kind = FileKind::marker;
  std::string path;            ///< relative to the store's folder
  std::string host_key;        ///< of records, samples and calibrations
  std::string sha256;          ///< of objects and samples: that of their content
  std::optional<Entry> entry;  ///< of records

  bool operator==(const StoreFile&) const = default;
};

/// The file that PATH names in the layout of a store (README.md). Absent: the layout has no such path.
std::optional<StoreFile> parse_store_path(std::string_view path);

/// Checks that CONTENT, a copy of FILE, is what the name of FILE says: the marker of this version, an object or samples with that
/// hash, a readable record or calibration of that host, time, id and commit. bad_input otherwise, or when it is a link.
base::Result<void> check_content(const StoreFile& file, const std::filesystem::path& content);

/// The files that a store shares with others: its marker, its records that are baselines of a commit, and its calibrations. no_verdict: there
/// is no store in FOLDER. Waivers that were accepted for one commit and pins are among them.
base::Result<std::vector<StoreFile>> shared_files(const std::filesystem::path& folder);

/// What belongs to RECORD (a file of the store in FOLDER) and is stored: its samples, its objects and the files that its suites read, of at most OBJECTS_UP_TO bytes.
base::Result<std::vector<StoreFile>> files_of_record(const std::filesystem::path& folder, const StoreFile& record,
                                                     std::uint64_t objects_up_to);

/// Copies FILES, whose content was checked, from the folder FROM into the store in FOLDER, which exists: each whole and synced, records
/// last, with other writers excluded. bad_input, and nothing is written: a run of one of these ids is stored under another name.
base::Result<void> place_files(const std::filesystem::path& folder, const std::filesystem::path& from,
                               std::vector<StoreFile> files);

}  // namespace torchgate::baselines
