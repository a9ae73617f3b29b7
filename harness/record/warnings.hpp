// SPDX-License-Identifier: Apache-2.0
// How many warnings a run keeps.
#pragma once

#include <string>
#include <vector>

namespace torchgate::record {

/// Cuts the list to max_warnings (limits.hpp), the last of which gives the number that was dropped.
void limit_warnings(std::vector<std::string>& warnings);

}  // namespace torchgate::record
