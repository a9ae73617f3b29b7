// SPDX-License-Identifier: Apache-2.0
// In which order processes run. Pure: numbers in, order out, the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace torchgate::launch {

/// What the schedule needs to know of a group: which sides have it, e.g. {0}, {1} or {0, 1}.
struct GroupSides {
  std::vector<std::int64_t> sides;
};

/// One launch of one group of one side.
struct Slot {
  std::size_t group = 0;  ///< index into the groups given
  std::int64_t side = 0;
  std::int64_t round = 0;            ///< each group runs once per round and side
  std::optional<std::int64_t> pair;  ///< = round where both sides have the group
  std::int64_t order_in_pair = 0;    ///< 0: first
  std::uint64_t seed = 0;            ///< for the suite's own choices; the same for both processes of a pair; below 2^53

  bool operator==(const Slot&) const = default;
};

/// Everything random about a run comes from SEED. PROCESSES rounds; in each, all groups in a fresh random order, so
/// that a slow drift of the machine adds noise to every group instead of bias to the last one. The two processes of a
/// pair run directly after each other, in random order. REQUIRES: every group has one or two
/// different sides.
std::vector<Slot> make_schedule(const std::vector<GroupSides>& groups, std::int64_t processes, std::uint64_t seed);

}  // namespace torchgate::launch
