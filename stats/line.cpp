// SPDX-License-Identifier: Apache-2.0
#include "stats/line.hpp"

#include "stats/pairwise_sum.hpp"

namespace torchgate::stats {
namespace {

double middle_of(std::span<const double> values) {
  return (static_cast<double>(values.size()) - 1) / 2;
}

}  // namespace

Line line_through(std::span<const double> values) {
  const double mean = pairwise_mean(values);
  const double middle = middle_of(values);
  std::vector<double> products(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) products[i] = (static_cast<double>(i) - middle) * (values[i] - mean);
  const auto n = static_cast<double>(values.size());
  return {mean, pairwise_sum(products) / (n * (n * n - 1) / 12)};
}

std::vector<double> residuals(std::span<const double> values, const Line& line) {
  const double middle = middle_of(values);
  std::vector<double> left(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    left[i] = values[i] - line.mean - line.slope * (static_cast<double>(i) - middle);
  return left;
}

}  // namespace torchgate::stats
