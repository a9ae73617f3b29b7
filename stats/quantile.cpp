// SPDX-License-Identifier: Apache-2.0
#include "stats/quantile.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/boost_policy.hpp"
#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

using Binomial = boost::math::binomial_distribution<double, NoThrow>;

bool is_proper_fraction(double x) {
  return x > 0.0 && x < 1.0;
}

// P(Bin(n, q) <= k), for k from -1 to n.
double at_most(std::size_t n, double q, std::ptrdiff_t k) {
  if (k < 0) return 0.0;
  return boost::math::cdf(Binomial(static_cast<double>(n), q), static_cast<double>(k));
}

// P(Bin(n, q) >= k), for k from 0 to n+1.
double at_least(std::size_t n, double q, std::ptrdiff_t k) {
  if (k <= 0) return 1.0;
  return boost::math::cdf(boost::math::complement(Binomial(static_cast<double>(n), q), static_cast<double>(k - 1)));
}

// Largest k in [1, n] that satisfies a predicate true up to some k; 0 when none does.
template <class Predicate>
std::size_t last_true(std::size_t n, Predicate holds) {
  std::size_t yes = 0;
  std::size_t no = n + 1;
  while (no - yes > 1) {
    const std::size_t middle = yes + (no - yes) / 2;
    (holds(middle) ? yes : no) = middle;
  }
  return yes;
}

}  // namespace

std::optional<double> quantile_of_sorted(std::span<const double> sorted, double q) {
  if (sorted.empty() || !(q >= 0.0 && q <= 1.0)) return std::nullopt;
  const double h = static_cast<double>(sorted.size() - 1) * q;
  const auto below = static_cast<std::size_t>(h);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], h - static_cast<double>(below));
}

std::optional<double> quantile(std::span<const double> values, double q) {
  if (!all_finite(values)) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, q);
}

std::optional<double> median(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  std::vector<double> order(values.begin(), values.end());
  const auto upper = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  std::nth_element(order.begin(), upper, order.end());
  if (order.size() % 2 == 1) return *upper;
  return std::midpoint(*std::max_element(order.begin(), upper), *upper);
}

QuantileOrders quantile_interval_orders(std::size_t n, double q, double level) {
  if (n == 0 || !is_proper_fraction(q) || !is_proper_fraction(level)) return {};
  const double miss = (1.0 - level) / 2.0;
  const auto order = [](std::size_t k) { return static_cast<std::ptrdiff_t>(k); };
  QuantileOrders orders;
  const std::size_t low = last_true(n, [&](std::size_t k) { return at_most(n, q, order(k) - 1) <= miss; });
  if (low > 0) orders.low = low;
  const std::size_t below_high = last_true(n, [&](std::size_t k) { return at_least(n, q, order(k)) > miss; });
  if (below_high < n) orders.high = below_high + 1;
  if (orders.low || orders.high) {
    const double missed_below = orders.low ? at_most(n, q, order(*orders.low) - 1) : 0.0;
    const double missed_above = orders.high ? at_least(n, q, order(*orders.high)) : 0.0;
    orders.coverage = 1.0 - missed_below - missed_above;
  }
  return orders;
}

std::optional<Interval> quantile_interval(std::span<const double> sorted, double q, double level) {
  // Every case of a report comes here, mostly without a result: the distribution is not needed then.
  const auto enough = quantile_interval_min_n(q, level);
  if (!enough || sorted.size() < *enough) return std::nullopt;
  const QuantileOrders orders = quantile_interval_orders(sorted.size(), q, level);
  if (!orders.low || !orders.high) return std::nullopt;
  return Interval{sorted[*orders.low - 1], sorted[*orders.high - 1], *orders.coverage};
}

std::optional<std::size_t> quantile_interval_min_n(double q, double level) {
  if (!is_proper_fraction(q) || !is_proper_fraction(level)) return std::nullopt;
  // Both bounds exist when neither "all values lie below" nor "all values lie above" is likelier than the miss allowed.
  const double miss = (1.0 - level) / 2.0;
  const double n = std::ceil(std::log(miss) / std::log(std::max(q, 1.0 - q)));
  return static_cast<std::size_t>(std::max(1.0, n));
}

}  // namespace torchgate::stats
