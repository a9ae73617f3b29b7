// SPDX-License-Identifier: Apache-2.0
#include "stats/geometric_mean.hpp"

#include <cmath>

#include "stats/moments.hpp"
#include "stats/ratio_interval.hpp"

namespace torchgate::stats {

std::optional<double> geometric_mean(std::span<const double> values) {
  const auto logs = log_values(values);
  if (!logs) return std::nullopt;
  const std::optional<Moments> m = moments(*logs);
  if (!m) return std::nullopt;
  return std::exp(m->mean);
}

}  // namespace torchgate::stats
