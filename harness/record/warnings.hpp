// SPDX-License-Identifier: Apache-2.0
// The warnings of a run: how many it keeps, and one that is read again.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torchgate::record {

/// How a run's warning begins that says why its commit is unknown, although it was measured in a repository.
inline constexpr const char* commit_unknown = "The commit of this run is unknown: ";

/// The case as its two sides define it (`ab`), where they differ: WHAT is "its protocol was a and is b" where the numbers are no longer those of
/// one case.
std::string defined_differently(const std::string& case_name, const std::string& both_sides, const std::string& what);

/// A case whose numbers are not those of one case, and what differs: read from a warning that defined_differently() made.
struct DefinedDifferently {
  std::string case_name;
  std::string what;  ///< begins with "its"
};
std::optional<DefinedDifferently> read_defined_differently(const std::string& warning);

/// Cuts the list to max_warnings (limits.hpp), the last of which gives the number that was dropped.
void limit_warnings(std::vector<std::string>& warnings);

}  // namespace torchgate::record
