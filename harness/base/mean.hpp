// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

namespace torchgate::base {

/// The arithmetic mean of at least one value.
inline double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace torchgate::base
