// SPDX-License-Identifier: Apache-2.0
// The warnings of a run: how many it keeps, and one that is read again.
#pragma once

#include <string>
#include <vector>

namespace torchgate::record {

/// How a run's warning begins that says why its commit is unknown, although it was measured in a repository.
inline constexpr const char* commit_unknown = "The commit of this run is unknown: ";

/// Cuts the list to max_warnings (limits.hpp), the last of which gives the number that was dropped.
void limit_warnings(std::vector<std::string>& warnings);

}  // namespace torchgate::record
