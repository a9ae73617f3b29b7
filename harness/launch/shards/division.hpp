// SPDX-License-Identifier: Apache-2.0
// Which groups each machine of a matrix measures. Pure: the same input gives the same division everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::launch {

/// The cost of a group.
struct GroupWeight {
  std::string name;
  double seconds = 0;  ///< of one process of every side

  bool operator==(const GroupWeight&) const = default;
};

/// Whole groups in SHARDS parts that take about equally long: the largest first, each to the part that has the least by
/// then (LPT; at most 4/3 of the best division: Graham, SIAM J. Appl. Math. 17, 1969). Equal ones by name, equal parts by
/// number. The groups of each part by name. REQUIRES: SHARDS is at least 1, names are different.
std::vector<std::vector<std::string>> divide(std::vector<GroupWeight> groups, std::int64_t shards);

/// The mean wall time of one process of each group of RUN (over its sides: both together), in seconds. Failed processes
/// are ignored.
std::map<std::string, double> group_seconds(const record::Run& run);

/// The same seed on every machine of a matrix without a plan file, derived from values known to all of them. Below 2^53.
std::uint64_t common_seed(const record::Plan& plan, const record::Source& source);

}  // namespace torchgate::launch
