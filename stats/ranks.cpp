// SPDX-License-Identifier: Apache-2.0
#include "stats/ranks.hpp"

#include <algorithm>
#include <numeric>

namespace torchgate::stats {

Ranks midranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  Ranks ranks;
  ranks.doubled.resize(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    // The places of the group are first+1 ... end; their mean is (first+1+end)/2.
    for (std::size_t k = first; k < end; ++k) ranks.doubled[order[k]] = first + 1 + end;
    const auto tied = static_cast<double>(end - first);
    ranks.tie_term += tied * tied * tied - tied;
    first = end;
  }
  return ranks;
}

}  // namespace torchgate::stats
