// SPDX-License-Identifier: Apache-2.0
// Files that lack what the other files of their run have: a command of hyperfine, a package of Go, a benchmark of pyperf.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// Adds processes without cases to each of FILES that lacks a group, where another file has that group beside one of this file's: as many as
/// a file of that group has on average. So the group's cases are known not to be in that file. Files of one command each have no group in
/// common and stay as they are. Returns the number of processes of all files; where it is above MOST, not all were added.
std::size_t add_silent_processes(const std::vector<std::vector<ImportedProcess>*>& files, std::size_t most);

}  // namespace torchgate::import
