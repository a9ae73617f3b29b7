// SPDX-License-Identifier: Apache-2.0
#include "stats/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/moments.hpp"
#include "stats/ranks.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

double choices(std::size_t n1, std::size_t n2) {
  double product = 1.0;
  for (std::size_t j = 1; j <= n2; ++j) product *= static_cast<double>(n1 + j) / static_cast<double>(j);
  return product;
}

// P(U <= u) without ties, u from 0 to half of n1 n2 (the rest follows by symmetry).
std::vector<double> make_untied_distribution(std::size_t n1, std::size_t n2) {
  const std::size_t half = n1 * n2 / 2;
  std::vector<double> orders(half + 1, 0.0);
  orders[0] = 1.0;
  for (std::size_t j = 1; j <= n2; ++j) {
    for (std::size_t u = half; u >= n1 + j; --u) orders[u] -= orders[u - n1 - j];
    for (std::size_t u = j; u <= half; ++u) orders[u] += orders[u - j];
  }
  const double all = choices(n1, n2);
  double total = 0.0;
  for (double& count : orders) count = (total += count) / all;
  return orders;
}

// A suite needs the same sizes thousands of times in a row: the last distribution is cached.
const std::vector<double>& untied_distribution(std::size_t n1, std::size_t n2) {
  struct Last {
    std::size_t n1 = 0;
    std::size_t n2 = 0;
    std::vector<double> distribution;
  };
  thread_local Last last;
  if (last.n1 != n1 || last.n2 != n2) last = {n1, n2, make_untied_distribution(n1, n2)};
  return last.distribution;
}

struct Tails {
  double at_most;
  double at_least;
};

// Both tails of the doubled rank sum of `chosen` of the pooled values, over all choices of that many.
Tails tied_tails(const std::vector<std::size_t>& doubled_ranks, std::size_t chosen, std::size_t doubled_sum) {
  std::size_t largest_sum = 0;
  for (std::size_t rank : doubled_ranks) largest_sum += rank;
  // ways[k * stride + s]: how many choices of k of the values seen so far have the doubled rank sum s.
  const std::size_t stride = largest_sum + 1;
  std::vector<double> ways((chosen + 1) * stride, 0.0);
  ways[0] = 1.0;
  std::size_t seen = 0;
  std::size_t seen_sum = 0;
  for (std::size_t rank : doubled_ranks) {
    ++seen;
    seen_sum += rank;
    for (std::size_t k = std::min(seen, chosen); k >= 1; --k) {
      for (std::size_t s = rank; s <= seen_sum; ++s) ways[k * stride + s] += ways[(k - 1) * stride + s - rank];
    }
  }
  Tails tails{0.0, 0.0};
  double all = 0.0;
  for (std::size_t s = 0; s <= largest_sum; ++s) {
    const double count = ways[chosen * stride + s];
    all += count;
    if (s <= doubled_sum) tails.at_most += count;
    if (s >= doubled_sum) tails.at_least += count;
  }
  return {tails.at_most / all, tails.at_least / all};
}

NormalApproximation normal_of(std::size_t n1, std::size_t n2, double tie_term) {
  const double pairs = static_cast<double>(n1) * static_cast<double>(n2);
  const auto n = static_cast<double>(n1 + n2);
  return {pairs / 2.0, std::sqrt(pairs / 12.0 * ((n + 1.0) - tie_term / (n * (n - 1.0))))};
}

double normal_p(double u, const NormalApproximation& normal) {
  if (!(normal.sd > 0.0)) return 1.0;  // all values equal
  return student_t_two_sided_p(std::max(0.0, std::abs(u - normal.mean) - 0.5) / normal.sd, normal_df);
}

}  // namespace

std::optional<MannWhitney> mann_whitney(std::span<const double> before, std::span<const double> after,
                                        const MannWhitneyLimits& limits) {
  if (before.empty() || after.empty() || !all_finite(before) || !all_finite(after)) return std::nullopt;
  std::vector<double> pooled(after.begin(), after.end());
  pooled.insert(pooled.end(), before.begin(), before.end());
  const Ranks ranks = midranks(pooled);
  const std::size_t n1 = before.size();
  const std::size_t n2 = after.size();
  std::size_t doubled_sum = 0;
  for (std::size_t i = 0; i < n2; ++i) doubled_sum += ranks.doubled[i];
  const std::size_t doubled_u = doubled_sum - n2 * (n2 + 1);

  MannWhitney result;
  result.u = static_cast<double>(doubled_u) / 2.0;
  const bool tied = ranks.tie_term > 0.0;
  result.exact = tied ? n1 + n2 <= limits.exact_with_ties : std::max(n1, n2) <= limits.exact_per_side;
  if (!result.exact) {
    result.p = normal_p(result.u, normal_of(n1, n2, ranks.tie_term));
  } else if (tied) {
    const Tails tails = tied_tails(ranks.doubled, n2, doubled_sum);
    result.p = std::min(1.0, 2.0 * std::min(tails.at_most, tails.at_least));
  } else {
    const std::size_t u = doubled_u / 2;
    result.p = std::min(1.0, 2.0 * untied_distribution(n1, n2)[std::min(u, n1 * n2 - u)]);
  }
  return result;
}

}  // namespace torchgate::stats
