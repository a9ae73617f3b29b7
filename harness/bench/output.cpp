// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torchgate::bench {
namespace {

// JSON has no infinity: "further than any tolerance" is written as the largest double.
constexpr double beyond_any_tolerance = std::numeric_limits<double>::max();

}  // namespace

record::OutputCheck compare(const Output& reference, const Output& output, Tolerance tolerance,
                            const std::string& against) {
  record::OutputCheck check;
  check.against = against;
  check.tolerance = tolerance.relative_l2;
  if (reference.values.size() != output.values.size()) {
    check.max_abs = check.relative_l2 = beyond_any_tolerance;
    return check;
  }
  double difference2 = 0;
  double reference2 = 0;
  double output2 = 0;
  double dot = 0;
  for (std::size_t i = 0; i < output.values.size(); ++i) {
    const double a = reference.values[i];
    const double b = output.values[i];
    if (!std::isfinite(a) && !std::isfinite(b)) {
      // The same NaN or infinity on both sides is agreement (masked attention rows, padding).
      if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      check.max_abs = check.relative_l2 = beyond_any_tolerance;
      return check;
    }
    check.max_abs = std::max(check.max_abs, std::abs(a - b));
    difference2 += (a - b) * (a - b);
    reference2 += a * a;
    output2 += b * b;
    dot += a * b;
  }
  if (difference2 == 0) {
    check.relative_l2 = 0;
  } else {
    check.relative_l2 = reference2 > 0 ? std::sqrt(difference2 / reference2) : beyond_any_tolerance;
  }
  if (reference2 > 0 && output2 > 0) check.cosine = dot / std::sqrt(reference2 * output2);
  check.within = check.relative_l2 <= tolerance.relative_l2;
  return check;
}

}  // namespace torchgate::bench
