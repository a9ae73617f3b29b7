// SPDX-License-Identifier: Apache-2.0
#include "stats/pairwise_sum.hpp"

#include <array>
#include <cstddef>

namespace torchgate::stats {
namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t block = 128;

double block_sum(std::span<const double> values) {
  double sum = 0;
  std::size_t at = 0;
  if (values.size() >= lanes) {
    std::array<double, lanes> r{};
    for (; at + lanes <= values.size(); at += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) r[lane] += values[at + lane];
    }
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; at < values.size(); ++at) sum += values[at];
  return sum;
}

}  // namespace

double pairwise_sum(std::span<const double> values) {
  if (values.size() <= block) return block_sum(values);
  const std::size_t half = values.size() / 2;
  const std::size_t left = half - half % lanes;
  return pairwise_sum(values.first(left)) + pairwise_sum(values.subspan(left));
}

double pairwise_mean(std::span<const double> values) {
  return pairwise_sum(values) / static_cast<double>(values.size());
}

}  // namespace torchgate::stats
