// SPDX-License-Identifier: Apache-2.0
#include "stats/hodges_lehmann.hpp"

#include <cmath>

#include "stats/moments.hpp"
#include "stats/pairwise.hpp"

namespace torchgate::stats {

std::optional<double> hodges_lehmann(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  return WalshAverages(values).median();
}

std::optional<double> hodges_lehmann_shift(std::span<const double> before, std::span<const double> after) {
  if (before.empty() || after.empty() || !all_finite(before) || !all_finite(after)) return std::nullopt;
  const double shift = PairwiseDifferences(before, after).median();
  if (!std::isfinite(shift)) return std::nullopt;
  return shift;
}

}  // namespace torchgate::stats
