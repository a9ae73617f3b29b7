// SPDX-License-Identifier: Apache-2.0
#include "stats/hodges_lehmann.hpp"

#include "stats/moments.hpp"
#include "stats/pairwise.hpp"

namespace torchgate::stats {

std::optional<double> hodges_lehmann(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  return WalshAverages(values).median();
}

}  // namespace torchgate::stats
