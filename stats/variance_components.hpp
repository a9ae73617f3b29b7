// SPDX-License-Identifier: Apache-2.0
// What:    how much of a case's noise comes from its iterations, from its processes, and from its runs.
// Assumes: log values, y = centre + run + process + iteration, the parts independent of each other; any number of
//          processes in a run and of iterations in a process.
// Source:  nested analysis of variance, method 1 of [henderson-1953]: sums of squares equal their expectations. Each
//          process has a weight according to its precision (see ProcessNumbers).
// Checked: tests/stats/variance_components_test.cpp: a published nested set, NIST certified mean squares, closed forms
//          worked by tests/oracles/stats/make_noise_vectors.py, REML of statsmodels on balanced sets; recovery of known
//          components in tests/stats/noise_rates_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace torchgate::stats {

/// What is needed of one process: no raw iterations.
struct ProcessNumbers {
  std::size_t run = 0;    ///< processes of one run have the same number
  double value = 0.0;     ///< log; the value of the process
  std::size_t n = 0;      ///< iterations
  double variance = 0.0;  ///< of the log iterations around the process's own centre; not read when n < 2
  double weight = 0.0;    ///< variance / weight is the variance of `value` because iterations are finitely many
};

/// Value = mean, variance with n - 1, weight n: the textbook's nested analysis of variance. None when empty or not finite.
std::optional<ProcessNumbers> process_by_mean(std::span<const double> log_iterations, std::size_t run = 0);

/// Value = log median, as everywhere in this project; the variance is that of the normal distribution with the same
/// quartiles, so that spikes, which the median ignores, do not reduce the process part; the weight is 2n/pi,
/// which is right for the median of n independent normal values. Autocorrelated iterations make the
/// median vary a little more than that, and the rest stays in the process part.
/// Quartiles in the metric's unit; none when one is not positive and finite, or n is 0.
std::optional<ProcessNumbers> process_by_median(double p25, double median, double p75, std::size_t n,
                                                std::size_t run = 0);

/// One level's part of the noise.
struct NoisePart {
  std::optional<double> variance;  ///< of the log; none when it cannot be known
  bool floored = false;            ///< the estimate was negative, which only means "small": 0 is reported
  std::string_view note;           ///< why it is unknown, or which other part it includes; else empty

  /// Standard deviation of the log: 0.01 is about 1 %.
  [[nodiscard]] std::optional<double> sd() const;
};

struct VarianceComponents {
  NoisePart iteration;  ///< between iterations of a process; single values, not their mean
  NoisePart process;    ///< between processes of a run, beyond what their iterations explain
  NoisePart run;        ///< between runs, beyond what their processes explain
};

/// Processes of one run must be neighbours. A level with a single member everywhere has no variance: "unknown", with the
/// reason. Its part is then in the level above, with a note (one iteration a process: the process part includes both).
VarianceComponents variance_components(std::span<const ProcessNumbers> processes);

}  // namespace torchgate::stats
