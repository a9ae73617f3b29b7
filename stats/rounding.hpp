// SPDX-License-Identifier: Apache-2.0
// What:    the step of a coarse clock, seen in values that do not vary: each of them may be off by half of it, all in the same direction.
// Assumes: the values are whole numbers of their unit, as nanoseconds are, or of another power of a thousand of it with at least two digits, as 12 and
//          13 ms are. Round numbers (100, 200) are not the readings of a clock that counts hundreds. A step of another form (a tick of 15.6 ms, hundredths
//          of a millisecond) is not seen.
// Source:  the variance of a uniform distribution of width 1, 1/12, once for each side. For equal errors of every value more values help nothing.
// Checked: tests/stats/rounding_test.cpp
#pragma once

#include <span>

namespace torchgate::stats {

/// The step in log units, at the smallest value: one unit, or the largest other power of a thousand that all values are multiples of, the smallest one
/// at least ten times. Of values that are not decimal numbers of up to four digits, as rates are, the step of their reciprocals. 0: all values are equal and
/// show no step, or the smallest of them is more than 9999 steps, which is too fine to matter. Takes logarithms.
double rounding_step(std::span<const double> log_values);

/// Variance of the difference of two sides by the rounding of both.
double rounding_variance(std::span<const double> log_values);

}  // namespace torchgate::stats
