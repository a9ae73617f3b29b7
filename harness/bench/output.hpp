// SPDX-License-Identifier: Apache-2.0
// The output of a variant in a form that can be compared: numbers on the host.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/record/process.hpp"

namespace torchgate::bench {

struct Output {
  std::vector<double> values;
  std::string dtype;  ///< element type as its library names it: "Float", "BFloat16", "double"
};

/// How a result becomes an Output. Specialise it for your own types; harness/bench/torch does for tensors and for
/// vectors and tuples of them.
template <class T, class = void>
struct OutputOf {
  static_assert(
      std::is_arithmetic_v<T>,
      "a timed call returns a number, a vector of numbers, a tensor, or nothing; for your own type specialise "
      "torchgate::bench::OutputOf");
  static Output get(const T& value) { return {{static_cast<double>(value)}, "double"}; }
};
template <class T>
struct OutputOf<std::vector<T>, std::enable_if_t<std::is_arithmetic_v<T>>> {
  static Output get(const std::vector<T>& values) { return {{values.begin(), values.end()}, "double"}; }
};

/// The largest relative L2 distance to the reference's output that a variant may have: |y - ref| / |ref|.
struct Tolerance {
  double relative_l2 = 0;
};
constexpr Tolerance within(double relative_l2) {
  return {relative_l2};
}

/// Exact metric of a variant that is compared with a reference: the relative L2 distance, rounded to three significant
/// digits. It shows a loss of accuracy inside the tolerance.
inline constexpr const char* output_error = "output_error";

/// Compares element by element. The same NaN or infinity on both sides agrees; on one side it does not. Never
/// within: different sizes, and outputs without any finite pair of elements, where nothing was compared. An unbounded
/// distance is infinity. `against` names the reference case.
record::OutputCheck compare(const Output& reference, const Output& output, Tolerance tolerance,
                            const std::string& against);

/// Replaces the comparison if outputs differ by design (loaders, training state). Returns the problem, if
/// any.
using CheckFunction = std::function<std::optional<std::string>(const Output& reference, const Output& output)>;
/// Checks the output of a case that has no reference, a sweep's. Returns the problem, if any.
using SweepCheckFunction = std::function<std::optional<std::string>(const Output& output)>;

}  // namespace torchgate::bench
