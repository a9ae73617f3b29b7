// SPDX-License-Identifier: Apache-2.0
// Values in their order as a plot made of characters. Does not depend on benchmarks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace torchgate::reports {

struct ScatterOptions {
  std::size_t width = 60;  ///< columns of the plot; with more values, several share a column
  std::size_t height = 9;  ///< rows, at least two
  bool unicode = true;
};

/// One text per row, the largest values first. `dividers`: indices of values before which a vertical line stands; it has a
/// column of its own where values do not have to share theirs. REQUIRES: finite values. Nothing for no values.
std::vector<std::string> scatter(const std::vector<double>& values, const std::vector<std::size_t>& dividers,
                                 const ScatterOptions& options = {});

}  // namespace torchgate::reports
