// SPDX-License-Identifier: Apache-2.0
// Files of other tools as UTF-8: the one place where they are opened.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/atomic_file.hpp"
#include "harness/base/result.hpp"
#include "harness/base/text_source.hpp"

namespace torchgate::import {

/// The whole text of a file of at most `most_file_bytes`, whatever its encoding (harness/base/utf8_text.hpp).
base::Result<std::string> text_in(const std::filesystem::path& path, base::Links links = base::Links::followed);

/// The same, piece by piece, of a file of any length.
base::Result<base::TextSource> source_in(const std::filesystem::path& path);

}  // namespace torchgate::import
