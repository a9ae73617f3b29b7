// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torchgate::bench {
namespace {

constexpr double beyond_any_tolerance = std::numeric_limits<double>::infinity();

struct Sums {
  double difference2 = 0;
  double reference2 = 0;
  double output2 = 0;
  double dot = 0;
  double max_abs = 0;
  std::size_t compared = 0;
};

// Absent when the two cannot be close: sizes differ, or one side is not finite where the other is.
std::optional<Sums> sum_up(const std::vector<double>& reference, const std::vector<double>& output) {
  if (reference.size() != output.size()) return std::nullopt;
  Sums sums;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double a = reference[i];
    const double b = output[i];
    // Masked attention rows and padding hold the same NaN or infinity on both sides.
    if ((std::isnan(a) && std::isnan(b)) || (std::isinf(a) && a == b)) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) return std::nullopt;
    ++sums.compared;
    sums.max_abs = std::max(sums.max_abs, std::abs(a - b));
    sums.difference2 += (a - b) * (a - b);
    sums.reference2 += a * a;
    sums.output2 += b * b;
    sums.dot += a * b;
  }
  return sums;
}

double relative_l2(const Sums& sums) {
  if (sums.max_abs == 0) return 0;
  if (!(sums.reference2 > 0)) return beyond_any_tolerance;
  const double distance = std::sqrt(sums.difference2) / std::sqrt(sums.reference2);
  // NOLINTNEXTLINE(bugprone-narrowing-conversions): reported as "double to double"; the constant is infinite
  return std::isfinite(distance) ? distance : beyond_any_tolerance;
}

}  // namespace

record::OutputCheck compare(const Output& reference, const Output& output, Tolerance tolerance,
                            const std::string& against) {
  record::OutputCheck check;
  check.against = against;
  check.tolerance = tolerance.relative_l2;
  const auto sums = sum_up(reference.values, output.values);
  if (!sums || sums->compared == 0) {
    check.max_abs = check.relative_l2 = beyond_any_tolerance;
    return check;
  }
  check.max_abs = sums->max_abs;
  check.relative_l2 = relative_l2(*sums);
  const double cosine = sums->dot / (std::sqrt(sums->reference2) * std::sqrt(sums->output2));
  if (std::isfinite(cosine)) check.cosine = std::clamp(cosine, -1.0, 1.0);
  check.within = check.relative_l2 <= tolerance.relative_l2;
  return check;
}

}  // namespace torchgate::bench
