// SPDX-License-Identifier: Apache-2.0
// Checks of numbers, and of sweeps, which have no reference: each call returns its result, and then what the result must be.
#pragma once

#include <optional>
#include <string>

#include "harness/bench/output.hpp"

namespace torchgate::suites {

/// Whether VALUE differs from EXPECTED by at most RELATIVE of it; false if one of them is not a number. Not `abs(value - expected) > limit` as the
/// condition of a problem: no comparison with NaN is true, so that a result of NaN would pass.
bool is_close(double value, double expected, double relative);

/// Relative L2 distance of the first half of the values to the second, which is what they must be.
double distance_of_halves(const bench::Output& output);

/// The problem, if the first half of the values differs from the second by more than rounding errors of floats.
std::optional<std::string> result_is_expected(const bench::Output& output);

}  // namespace torchgate::suites
