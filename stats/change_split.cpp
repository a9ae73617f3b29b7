// SPDX-License-Identifier: Apache-2.0
#include "stats/change_split.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/change_point_null.hpp"
#include "stats/pairwise_sum.hpp"
#include "stats/ranks.hpp"

namespace torchgate::stats {
namespace {

constexpr unsigned parts_shift = 8;  // a part has at most 120 values

// What is left of the variance when a split explains all of it: keeps t finite.
constexpr double no_variance = 1e-300;

double sum_of_squares(std::span<const double> values, double centre) {
  std::vector<double> squares(values.size());
  std::transform(values.begin(), values.end(), squares.begin(),
                 [centre](double value) { return (value - centre) * (value - centre); });
  return pairwise_sum(squares);
}

// |rank sum of the first k - its mean| / its SD under "no change".
double standardized_rank_sum(double rank_sum, std::size_t k, std::size_t n) {
  const auto first = static_cast<double>(k);
  const auto all = static_cast<double>(n);
  return std::abs(rank_sum - first * (all + 1) / 2) / std::sqrt(first * (all - first) * (all + 1) / 12.0);
}

double largest_rank_cusum(std::span<const double> values) {
  const Ranks ranks = midranks(values);
  const std::size_t n = values.size();
  double sum = 0;
  double largest = 0;
  for (std::size_t k = 1; k + smallest_segment <= n; ++k) {
    sum += static_cast<double>(ranks.doubled[k - 1]) / 2;
    if (k >= smallest_segment) largest = std::max(largest, standardized_rank_sum(sum, k, n));
  }
  return largest;
}

struct LargestT {
  std::size_t at = 0;
  double t = 0;
};

// Of several equal ones the first.
LargestT largest_pooled_t(std::span<const double> values) {
  const std::size_t n = values.size();
  const auto all = static_cast<double>(n);
  const double mean = pairwise_mean(values);
  const double total = sum_of_squares(values, mean);
  LargestT best{smallest_segment, -1};
  double sum = 0;
  for (std::size_t k = 1; k + smallest_segment <= n; ++k) {
    sum += values[k - 1] - mean;
    if (k < smallest_segment) continue;
    const double between = sum * sum * all / static_cast<double>(k * (n - k));
    const double t = std::sqrt(between * (all - 2) / std::max(total - between, no_variance));
    if (t > best.t) best = {k, t};
  }
  return best;
}

// The standardized rank sum of the values before a split.
double rank_sum_between(std::span<const double> before, std::span<const double> after) {
  std::vector<double> both(before.begin(), before.end());
  both.insert(both.end(), after.begin(), after.end());
  const Ranks ranks = midranks(both);
  double rank_sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) rank_sum += static_cast<double>(ranks.doubled[i]) / 2;
  return standardized_rank_sum(rank_sum, before.size(), both.size());
}

double both_p(std::size_t n, double rank_cusum, double t, double inflation) {
  const double by_rank = null_p(NullStatistic::rank_cusum, n, rank_cusum).value_or(1);
  const double by_t = null_p(NullStatistic::pooled_t, n, t / std::sqrt(inflation)).value_or(1);
  return std::max(by_rank, by_t);
}

}  // namespace

Splits::Largest Splits::largest(std::span<const double> part) {
  const LargestT by_t = largest_pooled_t(part);
  return {by_t.at, by_t.t, largest_rank_cusum(part)};
}

Split Splits::best(std::size_t first, std::size_t end, double inflation) {
  const std::uint64_t key = static_cast<std::uint64_t>(first) << parts_shift | (end - first);
  auto known = known_.find(key);
  if (known == known_.end()) known = known_.emplace(key, largest(values_.subspan(first, end - first))).first;
  const Largest& part = known->second;
  return {first + part.at, part.t, both_p(end - first, part.rank_cusum, part.t, inflation)};
}

double split_p(std::span<const double> before, std::span<const double> after, double inflation) {
  const auto n1 = static_cast<double>(before.size());
  const auto n2 = static_cast<double>(after.size());
  const double mean1 = pairwise_mean(before);
  const double mean2 = pairwise_mean(after);
  const double squares = sum_of_squares(before, mean1) + sum_of_squares(after, mean2);
  const double pooled_sd = std::sqrt(squares / (n1 + n2 - 2)) + no_variance;
  const double t = std::abs(mean1 - mean2) / (pooled_sd * std::sqrt(1 / n1 + 1 / n2));
  return both_p(before.size() + after.size(), rank_sum_between(before, after), t, inflation);
}

double rank_split_p(std::span<const double> before, std::span<const double> after, double inflation) {
  const double rank_sum = rank_sum_between(before, after) / std::sqrt(inflation);
  return null_p(NullStatistic::rank_cusum, before.size() + after.size(), rank_sum).value_or(1);
}

}  // namespace torchgate::stats
