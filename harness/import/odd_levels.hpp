// SPDX-License-Identifier: Apache-2.0
// Levels of times that one process has and the others of its run do not: noise, and not the times of a second benchmark of that name.
#pragma once

#include <vector>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// Times of one benchmark do not differ by more than that from some of them on; those of another benchmark of its name usually do.
inline constexpr double another_level = 2;

/// Which benchmarks have a name is the same in all PROCESSES of a run. A case that is ambiguous by its levels alone is so no longer, where more than half
/// of the processes with that case have as many times of it on one level, and it has some there too and the others on a level that none of those has.
/// Does not depend on the order.
void accept_odd_levels(const std::vector<ImportedProcess*>& processes);

}  // namespace torchgate::import
