// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/window.hpp"

#include <algorithm>
#include <cmath>

namespace torchgate::monitor {

Window::Window(std::size_t capacity) : capacity_(capacity) {
  values_.reserve(capacity);
}

void Window::push(double value) {
  if (!is_full()) {
    values_.push_back(value);
    const double before = mean_;
    mean_ += (value - mean_) / static_cast<double>(values_.size());
    squares_ += (value - before) * (value - mean_);
    return;
  }
  const double left = values_[oldest_];
  values_[oldest_] = value;
  oldest_ = (oldest_ + 1) % capacity_;
  if (oldest_ == 0) return recompute();
  const double before = mean_;
  mean_ += (value - left) / static_cast<double>(capacity_);
  squares_ += (value - left) * (value - mean_ + left - before);
}

void Window::clear() {
  values_.clear();
  oldest_ = 0;
  mean_ = 0;
  squares_ = 0;
}

void Window::recompute() {
  mean_ = 0;
  for (const double value : values_) mean_ += value / static_cast<double>(values_.size());
  squares_ = 0;
  for (const double value : values_) squares_ += (value - mean_) * (value - mean_);
}

std::optional<double> Window::mean() const {
  if (values_.empty()) return std::nullopt;
  return mean_;
}

std::optional<double> Window::sd() const {
  if (values_.size() < 2) return std::nullopt;
  return std::sqrt(std::max(0.0, squares_) / static_cast<double>(values_.size() - 1));
}

std::optional<double> Window::p95() const {
  constexpr std::size_t fewest = 20;
  if (values_.size() < fewest) return std::nullopt;
  std::vector<double> sorted = values_;
  const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(sorted.size())));
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), place, sorted.end());
  return *place;
}

}  // namespace torchgate::monitor
