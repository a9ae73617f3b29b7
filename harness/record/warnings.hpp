// SPDX-License-Identifier: Apache-2.0
// The warnings of a run: how many it keeps, and how some of them read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/limits.hpp"

namespace torchgate::record {

/// How a run's warning begins that says why its commit is unknown, although it was measured in a repository.
inline constexpr const char* commit_unknown = "The commit of this run is unknown: ";

/// The warning about a case that its two sides define differently (`ab`). Judging uses Case::sides_differ instead.
inline std::string defined_differently(const std::string& case_name, const std::string& both_sides,
                                       const std::string& what) {
  return "The case " + case_name + " is defined differently in " + both_sides + " (" + what +
         "): its two timings are not comparable";
}

/// Cuts the list to max_warnings (limits.hpp), the last of which gives the number that was dropped.
inline void limit_warnings(std::vector<std::string>& warnings) {
  const auto most = static_cast<std::size_t>(base::max_warnings);
  if (warnings.size() <= most) return;
  const std::size_t left_out = warnings.size() - (most - 1);
  warnings.resize(most - 1);
  warnings.push_back(std::to_string(left_out) + " more warnings were dropped");
}

}  // namespace torchgate::record
