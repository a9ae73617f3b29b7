// SPDX-License-Identifier: Apache-2.0
// What is said of a file or folder that is in none of the formats, or has text that its tool did not write.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::import {

/// Of the file at PATH, which begins with HEAD: what it seems to be, and how to get one that can be read.
base::Error unknown_file(const std::filesystem::path& path, std::string_view head);

/// Of a folder that is not one of Criterion: how to name its files, if they are results.
base::Error unknown_folder(const std::filesystem::path& folder);

/// ERROR, which reading the JSON at PATH ended with. Where that is a line that is not JSON, such as one that the program printed, it is named: "line 17 is not
/// JSON". OPTIONS: with which the tool writes a file itself.
base::Error with_stray_line(base::Error error, const std::filesystem::path& path, std::string_view options);

}  // namespace torchgate::import
