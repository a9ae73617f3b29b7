// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/launch/splitmix64.hpp"

namespace torchgate::launch {

std::vector<Slot> make_schedule(const std::vector<GroupSides>& groups, std::int64_t processes, std::uint64_t seed) {
  constexpr int seed_bits_dropped = 11;  // 53 bits remain, exact in every JSON reader
  SplitMix64 random(seed);
  std::vector<Slot> slots;
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::int64_t round = 0; round < processes; ++round) {
    random.shuffle(order);
    for (const std::size_t group : order) {
      std::vector<std::int64_t> sides = groups[group].sides;
      const bool paired = sides.size() == 2;
      const std::uint64_t process_seed = random.next() >> seed_bits_dropped;
      // Drawn for single groups too: adding a side to one group then changes nothing for the others.
      if (random.coin() && paired) std::swap(sides[0], sides[1]);
      for (std::size_t i = 0; i < sides.size(); ++i)
        slots.push_back({group, sides[i], round, paired ? std::optional(round) : std::nullopt,
                         static_cast<std::int64_t>(i), process_seed});
    }
  }
  return slots;
}

}  // namespace torchgate::launch
