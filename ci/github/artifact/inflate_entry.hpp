// SPDX-License-Identifier: Apache-2.0
// The content of an entry, inflated piece by piece. inflate_entry.cpp is the one file that includes zlib.
#pragma once

#include <functional>
#include <string_view>

#include "ci/github/artifact/zip_directory.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

using PieceSink = std::function<base::Result<void>(std::string_view piece)>;

/// Hands the content to SINK in pieces (of 64 KiB if it is compressed), counted: never more than the entry declares, so never more than the
/// limits (artifact_limits.hpp). bad_input if content and declared size or CRC differ, or the compressed bytes are invalid or
/// more than needed; SINK has a part of the content by then. An error of SINK ends it.
base::Result<void> inflate_entry(const ZipEntry& entry, const PieceSink& sink);

}  // namespace torchgate::github
