// SPDX-License-Identifier: Apache-2.0
#include "stats/autocorrelation.hpp"

#include "stats/moments.hpp"

namespace torchgate::stats {

std::optional<double> lag1_autocorrelation(std::span<const double> values) {
  const std::optional<Moments> m = moments(values);
  if (!m || m->n < 2 || m->sum_of_squares <= 0.0) return std::nullopt;
  CompensatedSum products;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) products.add((values[i] - m->mean) * (values[i + 1] - m->mean));
  return products.value() / m->sum_of_squares;
}

}  // namespace torchgate::stats
