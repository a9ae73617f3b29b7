// SPDX-License-Identifier: Apache-2.0
// The file name of a record: contains everything a listing needs, so that listing reads no records.
//
//   <UTC time>-<first 12 digits of the commit, or "nocommit">-<run id>.json
//   20261121T012345.678Z-1a2b3c4d5e6f-0123456789abcdef.json
//
// No colons: Windows, and the uploads of GitHub Actions, refuse them in file names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// The entry of RUN in a listing. bad_input if its id, time, host key or (with `of_commit`) commit cannot be part of
/// a file name: these come from untrusted files.
base::Result<Entry> entry_of(const record::Run& run, bool of_commit);

std::string file_name(const Entry& entry);

/// Absent when NAME is not the name of a record: a temporary file, a samples file, or another file.
std::optional<Entry> parse_file_name(std::string_view name, const std::string& host_key);

}  // namespace torchgate::baselines
