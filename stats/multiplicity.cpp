// SPDX-License-Identifier: Apache-2.0
#include "stats/multiplicity.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace torchgate::stats {
namespace {

bool all_probabilities(std::span<const double> p) {
  return std::all_of(p.begin(), p.end(), [](double x) { return x >= 0.0 && x <= 1.0; });
}

std::vector<std::size_t> ascending_order(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  return order;
}

}  // namespace

std::optional<std::vector<double>> holm(std::span<const double> p) {
  if (!all_probabilities(p)) return std::nullopt;
  const std::vector<std::size_t> order = ascending_order(p);
  std::vector<double> adjusted(p.size());
  double largest = 0.0;
  for (std::size_t rank = 0; rank < p.size(); ++rank) {
    largest = std::max(largest, p[order[rank]] * static_cast<double>(p.size() - rank));
    adjusted[order[rank]] = std::min(1.0, largest);
  }
  return adjusted;
}

std::optional<std::vector<double>> benjamini_hochberg(std::span<const double> p) {
  if (!all_probabilities(p)) return std::nullopt;
  const std::vector<std::size_t> order = ascending_order(p);
  std::vector<double> adjusted(p.size());
  double smallest = 1.0;
  for (std::size_t rank = p.size(); rank >= 1; --rank) {
    const std::size_t i = order[rank - 1];
    smallest = std::min(smallest, p[i] * static_cast<double>(p.size()) / static_cast<double>(rank));
    adjusted[i] = smallest;
  }
  return adjusted;
}

}  // namespace torchgate::stats
