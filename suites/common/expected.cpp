// SPDX-License-Identifier: Apache-2.0
#include "suites/common/expected.hpp"

#include <cmath>

namespace torchgate::suites {

bool is_close(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

double distance_of_halves(const bench::Output& output) {
  const std::size_t half = output.values.size() / 2;
  double squared_distance = 0;
  double squared_norm = 0;
  for (std::size_t i = 0; i < half; ++i) {
    const double expected = output.values[half + i];
    squared_distance += std::pow(output.values[i] - expected, 2);
    squared_norm += std::pow(expected, 2);
  }
  return std::sqrt(squared_distance / squared_norm);
}

std::optional<std::string> result_is_expected(const bench::Output& output) {
  constexpr double float_error = 1e-5;
  const double distance = distance_of_halves(output);
  if (distance <= float_error) return std::nullopt;
  return "the relative L2 distance to the expected values is " + std::to_string(distance);
}

}  // namespace torchgate::suites
