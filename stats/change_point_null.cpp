// SPDX-License-Identifier: Apache-2.0
#include "stats/change_point_null.hpp"

#include <algorithm>
#include <cmath>

#include "stats/change_point_null_table.hpp"

namespace torchgate::stats {
namespace {

// A rank statistic that equals a draw must count as equal in spite of rounding.
constexpr double tie_tolerance = 1e-12;

// How many knots have a draw that is at least `observed`; they come first.
std::size_t reaching(const NullKnots& knots, double observed) {
  std::size_t first = 0;
  std::size_t end = knots.size();
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (knots[middle].value >= observed) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

// How many draws are at least `observed`, which lies in (value of `below`, value of `above`].
double draws_between(const NullKnot& above, const NullKnot& below, double observed) {
  const double fraction = (above.value - observed) / (above.value - below.value);
  const double logarithm = std::log(above.count) + fraction * (std::log(below.count) - std::log(above.count));
  // The draw of `below` itself is smaller than what was observed.
  return std::clamp(std::exp(logarithm), above.count, below.count - 1);
}

}  // namespace

std::optional<double> null_p(NullStatistic statistic, std::size_t n, double maximum) {
  const NullKnots knots = null_knots(statistic, n);
  if (knots.size() == 0 || std::isnan(maximum)) return std::nullopt;
  const double observed = maximum - tie_tolerance;
  const std::size_t below = reaching(knots, observed);
  double draws = 0;
  if (below == knots.size()) {
    draws = null_draws;
  } else if (below > 0) {
    draws = draws_between(knots[below - 1], knots[below], observed);
  }
  return (draws + 1) / (null_draws + 1);
}

}  // namespace torchgate::stats
