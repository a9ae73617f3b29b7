// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/share.hpp"

#include <boost/math/special_functions/beta.hpp>

namespace torchgate::simulations {

std::optional<double> share_upper_bound(std::size_t hits, std::size_t n, double level) {
  if (n == 0 || hits > n || !(level > 0.0 && level < 1.0)) return std::nullopt;
  if (hits == n) return 1.0;
  return boost::math::ibeta_inv(static_cast<double>(hits + 1), static_cast<double>(n - hits), level);
}

std::optional<double> share_lower_bound(std::size_t hits, std::size_t n, double level) {
  const std::optional<double> misses = share_upper_bound(hits > n ? n + 1 : n - hits, n, level);
  if (!misses) return std::nullopt;
  return 1.0 - *misses;
}

}  // namespace torchgate::simulations
