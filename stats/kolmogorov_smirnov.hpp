// SPDX-License-Identifier: Apache-2.0
// What:    two-sample Kolmogorov-Smirnov test: the largest distance between two empirical distributions, and its p.
// Assumes: independent values; without ties p is exact, with ties it is an upper bound (the test is conservative).
// Source:  [hollander-wolfe-chicken-2014, chapter 5]. Under "no change" every order of the pooled values is equally
//          likely; an order is a path through a grid, and p is the share of paths that get as far from the diagonal as
//          the data did. Shares of paths are added, never subtracted, so that small p keep their digits. Above
//          `kolmogorov_smirnov_exact_cells` cells the limit distribution is used.
// Checked: tests/stats/kolmogorov_smirnov_test.cpp, against SciPy and all orders of small samples
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// n1 * n2 up to which p is exact.
inline constexpr std::size_t kolmogorov_smirnov_exact_cells = 1'000'000;

struct KolmogorovSmirnov {
  double distance = 0.0;  ///< D, 0 to 1
  double p = 1.0;         ///< two-sided
  bool exact = true;
};

/// None when a side is empty or a value is not finite.
std::optional<KolmogorovSmirnov> kolmogorov_smirnov(std::span<const double> before, std::span<const double> after);

}  // namespace torchgate::stats
