// SPDX-License-Identifier: Apache-2.0
// The entries of a zip file from an untrusted job, all checked before any of them is inflated.
//
// Why not minizip or libzip: they are made to read as many zip files as possible. They search for the end record, take local
// headers that contradict the central directory, and allow entries to overlap; their interfaces do not show what would be needed
// to refuse that. This reader accepts one layout only: the entries one after the other from the first byte, then the central
// directory, then the end records, nothing between, before or after them. What two readers could understand differently
// (another name or size in the local header, two entries with the same bytes, bytes that no entry has) is refused.
// upload-artifact (archiver), Python's zipfile and Info-ZIP write this layout, with and without data descriptors.
#pragma once

#include <string_view>
#include <vector>

#include "ci/github/artifact/zip_entry.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// In the order of the central directory. bad_input, naming the entry and the limit, for: more entries or bytes than the limits,
/// other names, duplicates, folders, symbolic links and special files, encryption, methods but stored and deflate, local headers
/// and data descriptors that contradict the directory, entries that overlap, bytes that belong to no entry. The result refers
/// to ZIP.
base::Result<std::vector<ZipEntry>> read_zip_directory(std::string_view zip);

}  // namespace torchgate::github
