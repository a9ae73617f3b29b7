// SPDX-License-Identifier: Apache-2.0
#include "reports/forest_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace torchgate::reports {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A change that the eye can still place: of 16 times the typical one, an interval as wide as the typical change is a dot.
constexpr double typical_changes_of_a_point = 16;
// An interval that wide says that nothing is known; how wide it is exactly is in the numbers.
constexpr double typical_changes_of_an_end = 6;
// So that a mark at the end of the axis, and a limit, is not on its edge.
constexpr double free_share = 0.06;
// Without limits and changes, an axis has to have a length.
constexpr double smallest_scale = 1e-3;
// Changes beyond a factor of a million are beyond every axis.
const double largest_log = std::log(1e6);
// Up to this ratio of the two ends, even steps are more useful than the few powers between them.
constexpr double most_even_ratio = 8;
// A tick at an end of the axis, which is a logarithm, is on it.
constexpr double rounding = 1e-9;

double log_of(double change) {
  return std::log1p(change);  // -inf at -1
}

/// The median size of what is finite; 0 of nothing.
double typical(std::vector<double> logs) {
  for (double& value : logs) value = std::abs(value);
  std::erase_if(logs, [](double value) { return !std::isfinite(value); });
  if (logs.empty()) return 0;
  const auto middle = logs.begin() + static_cast<std::ptrdiff_t>(logs.size() / 2);
  std::nth_element(logs.begin(), middle, logs.end());
  return *middle;
}

std::vector<double> even_ticks(double low, double high, std::size_t most) {
  constexpr std::array<double, 4> steps_of_a_decade = {1, 2, 2.5, 5};
  for (double decade = 1e-6;; decade *= 10) {
    for (const double in_decade : steps_of_a_decade) {
      const double step = decade * in_decade;
      const double first = std::ceil(low / step - rounding);
      const double last = std::floor(high / step + rounding);
      if (last - first + 1 > static_cast<double>(most)) continue;
      std::vector<double> ticks;
      const auto beyond = static_cast<std::int64_t>(last) + 1;
      for (auto i = static_cast<std::int64_t>(first); i < beyond; ++i) ticks.push_back(static_cast<double>(i) * step);
      return ticks;
    }
  }
}

/// Factors with these digits, every STRIDE decades.
std::vector<double> factor_ticks(double low, double high, const std::vector<double>& digits, int stride) {
  std::vector<double> ticks;
  const int furthest = static_cast<int>(std::ceil(std::max(std::abs(low), std::abs(high)) / std::log(10.0))) + 1;
  for (int decade = 0; decade <= furthest; decade += stride) {
    for (const double digit : digits) {
      const double factor = digit * std::pow(10.0, decade);
      for (const double ratio : {factor, 1 / factor}) {
        const double at = std::log(ratio);
        if (at >= low - rounding && at <= high + rounding) ticks.push_back(ratio - 1);
      }
    }
  }
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  return ticks;
}

}  // namespace

ForestAxis::ForestAxis(double low, double high) : low_(log_of(low)), high_(log_of(high)) {}

AxisPlace ForestAxis::place(double change) const {
  const double at = change <= -1 ? -infinity : log_of(change);
  const double share = (at - low_) / (high_ - low_);
  if (share < -rounding) return {0, -1};
  if (share > 1 + rounding) return {1, 1};
  return {std::clamp(share, 0.0, 1.0), 0};
}

std::vector<double> ForestAxis::ticks(std::size_t most) const {
  most = std::max<std::size_t>(most, 2);
  if (high_ - low_ <= std::log(most_even_ratio)) return even_ticks(std::expm1(low_), std::expm1(high_), most);
  for (const std::vector<double>& digits : {std::vector<double>{1, 2, 5}, std::vector<double>{1}}) {
    auto ticks = factor_ticks(low_, high_, digits, 1);
    // Of an axis between two powers of ten, ten alone would leave "0 %".
    if (ticks.size() <= most && ticks.size() > 1) return ticks;
  }
  for (int stride = 2;; ++stride) {
    auto ticks = factor_ticks(low_, high_, {1}, stride);
    if (ticks.size() <= most) return ticks;
  }
}

ForestAxis axis_for(const std::vector<ChangeSpan>& spans, const std::vector<double>& limits) {
  double low = 0;
  double high = 0;
  const auto include = [&](double at) {
    if (!std::isfinite(at)) return;
    low = std::min(low, std::max(at, -largest_log));
    high = std::max(high, std::min(at, largest_log));
  };
  double scale = smallest_scale;
  for (const double limit : limits) {
    include(log_of(limit));
    if (std::isfinite(log_of(limit))) scale = std::max(scale, std::abs(log_of(limit)));
  }
  std::vector<double> logs;
  logs.reserve(spans.size());
  for (const ChangeSpan& span : spans) logs.push_back(span.change <= -1 ? -infinity : log_of(span.change));
  scale = std::max(scale, typical(logs));
  double farthest = 0;
  for (const double at : logs) {
    if (!(std::abs(at) <= typical_changes_of_a_point * scale)) continue;
    include(at);
    farthest = std::max(farthest, std::abs(at));
  }
  // The whole interval of the farthest change, unless it is wider than what is typical.
  const double widest = std::max(typical_changes_of_an_end * scale, farthest + scale);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!(std::abs(logs[i]) <= typical_changes_of_a_point * scale)) continue;
    for (const double end : {spans[i].low, spans[i].high}) {
      if (!std::isnan(end)) include(std::clamp(end <= -1 ? -widest : log_of(end), -widest, widest));
    }
  }
  const double free = free_share * std::max(high - low, scale);
  return {std::expm1(low - free), std::expm1(high + free)};
}

}  // namespace torchgate::reports
