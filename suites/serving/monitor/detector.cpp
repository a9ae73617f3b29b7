// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/detector.hpp"

#include <cmath>

namespace torchgate::monitor {

Score ThreeSigma::observe(double value) {
  const double log_value = std::log(value);
  Score score;
  if (window_.is_full() && *window_.sd() > least_sd) {
    score.ready = true;
    score.deviations = (log_value - *window_.mean()) / *window_.sd();
    score.alarm = score.deviations > limit_;
  }
  window_.push(log_value);
  return score;
}

Score Ewma::observe(double value) {
  const double log_value = std::log(value);
  Score score;
  if (!baseline_.is_full()) {
    baseline_.push(log_value);
    if (!baseline_.is_full()) return score;
    ewma_ = *baseline_.mean();
    since_ = 0;
    if (*baseline_.sd() <= least_sd) baseline_.clear();
    return score;
  }
  const double sd = *baseline_.sd();
  ewma_ = alpha_ * log_value + (1 - alpha_) * ewma_;
  ++since_;
  const double remaining = 1 - std::pow(1 - alpha_, 2 * static_cast<double>(since_));
  score.ready = true;
  score.deviations = (ewma_ - *baseline_.mean()) / (sd * std::sqrt(alpha_ / (2 - alpha_) * remaining));
  score.alarm = score.deviations > limit_;
  if (score.alarm) baseline_.clear();
  return score;
}

}  // namespace torchgate::monitor
