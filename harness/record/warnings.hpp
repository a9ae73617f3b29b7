// SPDX-License-Identifier: Apache-2.0
// The warnings of a run: how many it keeps, and how some of them read.
#pragma once

#include <string>
#include <vector>

namespace torchgate::record {

/// How a run's warning begins that says why its commit is unknown, although it was measured in a repository.
inline constexpr const char* commit_unknown = "The commit of this run is unknown: ";

/// The warning about a case that its two sides define differently (`ab`). Judging uses Case::sides_differ instead.
std::string defined_differently(const std::string& case_name, const std::string& both_sides, const std::string& what);

/// Cuts the list to max_warnings (limits.hpp), the last of which gives the number that was dropped.
void limit_warnings(std::vector<std::string>& warnings);

}  // namespace torchgate::record
