// SPDX-License-Identifier: Apache-2.0
// What:    tail probabilities and critical values of Student's t; with infinite df, of the normal distribution.
// Assumes: df > 0. The only place in this folder where NaN is an answer: NaN or df <= 0 in, NaN out.
// Source:  Boost.Math students_t, always through the complement: 1 - cdf is 0 from about 1e-16 down.
// Checked: tests/stats/student_t_test.cpp, against closed forms (df 1, 2, 7, infinity) and SciPy
#pragma once

#include <limits>

namespace torchgate::stats {

/// Degrees of freedom with which Student's t is the normal distribution.
inline constexpr double normal_df = std::numeric_limits<double>::infinity();

/// P(T > t). t and df may be infinite.
double student_t_upper_tail(double t, double df);

/// P(|T| > |t|), the two-sided p of a t statistic.
double student_t_two_sided_p(double t, double df);

/// The t that is exceeded with probability `upper_tail`: student_t_critical(0.025, df) is the usual 95 % two-sided
/// limit. +infinity at 0, -infinity at 1.
double student_t_critical(double upper_tail, double df);

}  // namespace torchgate::stats
