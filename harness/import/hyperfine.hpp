// SPDX-License-Identifier: Apache-2.0
// hyperfine's JSON (--export-json). Each timing is a launch of the command, so each is a process of its own, in a group of
// its command: launches differ in addresses and state as processes do, though they follow each other closely.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_hyperfine(std::string_view head);

/// The launches in TEXT. bad_input names the place.
base::Result<std::vector<ImportedProcess>> read_hyperfine(std::string_view text, const std::string& where);

}  // namespace torchgate::import
