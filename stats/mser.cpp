// SPDX-License-Identifier: Apache-2.0
#include "stats/mser.hpp"

#include <limits>
#include <vector>

#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

constexpr std::size_t batch_size = 5;

std::vector<double> batch_means(std::span<const double> samples) {
  std::vector<double> means;
  means.reserve(samples.size() / batch_size);
  for (std::size_t first = 0; first + batch_size <= samples.size(); first += batch_size) {
    double sum = 0.0;
    for (double sample : samples.subspan(first, batch_size)) sum += sample;
    means.push_back(sum / static_cast<double>(batch_size));
  }
  return means;
}

}  // namespace

std::optional<WarmUpCut> mser5(std::span<const double> log_samples) {
  if (log_samples.size() < 2 * batch_size || !all_finite(log_samples)) return std::nullopt;
  const std::vector<double> means = batch_means(log_samples);
  const std::size_t farthest = means.size() / 2;

  // From the back, one batch at a time: mean and sum of squares of the tail by Welford's update.
  double tail_mean = 0.0;
  double sum_of_squares = 0.0;
  double best_score = std::numeric_limits<double>::infinity();
  std::size_t best_cut = farthest;
  for (std::size_t cut = means.size(); cut-- > 0;) {
    const auto length = static_cast<double>(means.size() - cut);
    const double deviation = means[cut] - tail_mean;
    tail_mean += deviation / length;
    sum_of_squares += deviation * (means[cut] - tail_mean);
    if (cut > farthest) continue;
    const double score = sum_of_squares / (length * length);
    if (score <= best_score) {
      best_score = score;
      best_cut = cut;
    }
  }
  return WarmUpCut{best_cut * batch_size, best_cut == farthest};
}

}  // namespace torchgate::stats
