// SPDX-License-Identifier: Apache-2.0
// Result files that are known and not read: exports without single times, and files of other tools.
#pragma once

#include <string>
#include <string_view>

namespace torchgate::import {

/// What the file that begins with HEAD is, and what to do instead: "a CSV export of hyperfine, which has no single times; ...". Empty: it is not
/// known.
std::string foreign_file(std::string_view head);

}  // namespace torchgate::import
