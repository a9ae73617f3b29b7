// SPDX-License-Identifier: Apache-2.0
#include "stats/signed_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "stats/moments.hpp"
#include "stats/pairwise.hpp"
#include "stats/ranks.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

// Number of the 2^n sign patterns with V <= c, for c up to half of n(n+1)/2 (the rest follows by symmetry).
using Cumulative = std::vector<double>;

// All distributions without ties at once: one recursion makes every n on its way to 50.
std::array<Cumulative, signed_rank_exact_up_to + 1> make_untied_distributions() {
  std::array<Cumulative, signed_rank_exact_up_to + 1> cumulative;
  constexpr std::size_t largest_sum = signed_rank_exact_up_to * (signed_rank_exact_up_to + 1) / 2;
  std::vector<double> patterns(largest_sum + 1, 0.0);
  patterns[0] = 1.0;
  for (std::size_t n = 0; n <= signed_rank_exact_up_to; ++n) {
    if (n > 0) {
      for (std::size_t sum = n * (n + 1) / 2; sum >= n; --sum) patterns[sum] += patterns[sum - n];
    }
    double total = 0.0;
    for (std::size_t c = 0; c <= n * (n + 1) / 4; ++c) cumulative[n].push_back(total += patterns[c]);
  }
  return cumulative;
}

const Cumulative& untied_distribution(std::size_t n) {
  static const auto distributions = make_untied_distributions();
  return distributions[n];
}

double share_of_patterns(double count, std::size_t n) {
  return std::ldexp(count, -static_cast<int>(n));
}

// Number of sign patterns whose doubled rank sum is at most `limit`, for these ranks with their ties.
double patterns_up_to(const std::vector<std::size_t>& doubled_ranks, std::size_t limit) {
  std::vector<double> patterns(limit + 1, 0.0);
  patterns[0] = 1.0;
  for (std::size_t rank : doubled_ranks) {
    for (std::size_t sum = limit; sum >= rank; --sum) patterns[sum] += patterns[sum - rank];
  }
  double total = 0.0;
  for (double count : patterns) total += count;
  return total;
}

NormalApproximation normal_of(std::size_t n, double tie_term) {
  const auto x = static_cast<double>(n);
  return {x * (x + 1.0) / 4.0, std::sqrt(x * (x + 1.0) * (2.0 * x + 1.0) / 24.0 - tie_term / 48.0)};
}

double exact_p(const Ranks& ranks, std::size_t doubled_sum) {
  const std::size_t n = ranks.doubled.size();
  const std::size_t smaller = std::min(doubled_sum, n * (n + 1) - doubled_sum);
  const double patterns =
      ranks.tie_term == 0.0 ? untied_distribution(n)[smaller / 2] : patterns_up_to(ranks.doubled, smaller);
  return std::min(1.0, 2.0 * share_of_patterns(patterns, n));
}

double normal_p(const Ranks& ranks, double sum) {
  const NormalApproximation normal = normal_of(ranks.doubled.size(), ranks.tie_term);
  const double beyond = std::max(0.0, std::abs(sum - normal.mean) - 0.5);
  return student_t_two_sided_p(beyond / normal.sd, normal_df);
}

// Largest c with P(V <= c) <= miss, and that probability; none when P(V = 0) is already more.
struct Cut {
  std::size_t c;
  double probability;
};

std::optional<Cut> exact_cut(std::size_t n, double miss) {
  const Cumulative& cumulative = untied_distribution(n);
  std::optional<Cut> cut;
  for (std::size_t c = 0; c < cumulative.size(); ++c) {
    const double probability = share_of_patterns(cumulative[c], n);
    if (probability > miss) break;
    cut = Cut{c, probability};
  }
  return cut;
}

std::optional<Cut> normal_cut(std::size_t n, double miss) {
  const NormalApproximation normal = normal_of(n, 0.0);
  const double c = std::floor(normal.mean - 0.5 - student_t_critical(miss, normal_df) * normal.sd);
  if (!(c >= 0.0)) return std::nullopt;
  return Cut{static_cast<std::size_t>(c), student_t_upper_tail((normal.mean - 0.5 - c) / normal.sd, normal_df)};
}

}  // namespace

std::optional<SignedRank> signed_rank(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (double value : values) {
    if (value == 0.0) continue;
    sizes.push_back(std::abs(value));
    positive.push_back(value > 0.0);
  }
  SignedRank result;
  result.n = sizes.size();
  result.zeros = values.size() - sizes.size();
  if (result.n == 0) return result;

  const Ranks ranks = midranks(sizes);
  std::size_t doubled_sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (positive[i]) doubled_sum += ranks.doubled[i];
  }
  result.positive_rank_sum = static_cast<double>(doubled_sum) / 2.0;
  result.exact = result.n <= signed_rank_exact_up_to;
  result.p = result.exact ? exact_p(ranks, doubled_sum) : normal_p(ranks, result.positive_rank_sum);
  return result;
}

double signed_rank_smallest_p(std::size_t n) {
  constexpr std::size_t underflows_from = 1100;  // 2^-1074 is the smallest double
  return n == 0 ? 1.0 : std::ldexp(2.0, -static_cast<int>(std::min(n, underflows_from)));
}

std::optional<Interval> signed_rank_interval(std::span<const double> values, double level) {
  if (values.empty() || !all_finite(values) || !(level > 0.0 && level < 1.0)) return std::nullopt;
  const double miss = (1.0 - level) / 2.0;
  const std::size_t n = values.size();
  const std::optional<Cut> cut = n <= signed_rank_exact_up_to ? exact_cut(n, miss) : normal_cut(n, miss);
  if (!cut) return std::nullopt;
  WalshAverages averages(values);
  return Interval{averages.order_statistic(cut->c + 1), averages.order_statistic(averages.size() - cut->c),
                  1.0 - 2.0 * cut->probability};
}

}  // namespace torchgate::stats
