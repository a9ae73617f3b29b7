// SPDX-License-Identifier: Apache-2.0
#include "stats/variance_components.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

// Distance between the quartiles of a normal distribution, in standard deviations: 2 * 0.67448975...
constexpr double quartile_distance = 1.3489795003921634;

constexpr std::string_view not_finite = "a value is not a finite number";
constexpr std::string_view no_processes = "no process was measured";
constexpr std::string_view one_iteration = "one iteration in each process: no variance between iterations";
constexpr std::string_view one_process = "one process in each run: no variance between processes";
constexpr std::string_view one_run = "one run: no variance between runs";
constexpr std::string_view holds_iterations = "holds the noise of iterations too: there is one in each process";
constexpr std::string_view holds_processes = "holds the noise of processes too: there is one in each run";

bool usable(const ProcessNumbers& p) {
  return p.n > 0 && std::isfinite(p.value) && std::isfinite(p.weight) && p.weight > 0.0 &&
         (p.n < 2 || (std::isfinite(p.variance) && p.variance >= 0.0));
}

// Sums over the processes of one run or over the runs, around a first value so that large means cost no digits.
struct Weighted {
  double weight = 0.0;
  double squared_weights = 0.0;
  double first = 0.0;
  double sum = 0.0;      // weight * (value - first)
  double squares = 0.0;  // weight * (value - first)^2
  std::size_t members = 0;

  void add(double w, double value) {
    if (members++ == 0) first = value;
    const double distance = value - first;
    weight += w;
    squared_weights += w * w;
    sum += w * distance;
    squares += w * distance * distance;
  }
  [[nodiscard]] double mean() const { return first + sum / weight; }
  [[nodiscard]] double sum_of_squares() const { return std::max(0.0, squares - sum * sum / weight); }
};

// What the method needs to know; the names are those of the expectations below.
struct NestedSums {
  double iteration_squares = 0.0;
  double iteration_df = 0.0;
  double process_squares = 0.0;
  double process_df = 0.0;
  double within_run = 0.0;  // sum over runs of (sum of squared weights / weight of the run)
  Weighted runs;            // weight and mean of each run
  double all_squared_weights = 0.0;
};

NestedSums nested_sums(std::span<const ProcessNumbers> processes) {
  NestedSums sums;
  for (std::size_t first = 0; first < processes.size();) {
    Weighted run;
    std::size_t next = first;
    for (; next < processes.size() && processes[next].run == processes[first].run; ++next) {
      const ProcessNumbers& p = processes[next];
      run.add(p.weight, p.value);
      if (p.n < 2) continue;
      sums.iteration_squares += static_cast<double>(p.n - 1) * p.variance;
      sums.iteration_df += static_cast<double>(p.n - 1);
    }
    sums.process_squares += run.sum_of_squares();
    sums.process_df += static_cast<double>(run.members - 1);
    sums.within_run += run.squared_weights / run.weight;
    sums.all_squared_weights += run.squared_weights;
    sums.runs.add(run.weight, run.mean());
    first = next;
  }
  return sums;
}

// Adds an estimate to its part, and returns it as the levels above have to use it: a negative one too, or theirs would be
// biased.
double set(NoisePart& part, double estimate) {
  part.floored = estimate < 0.0;
  part.variance = std::max(0.0, estimate);
  return estimate;
}

}  // namespace

std::optional<double> NoisePart::sd() const {
  if (!variance) return std::nullopt;
  return std::sqrt(*variance);
}

std::optional<ProcessNumbers> process_by_mean(std::span<const double> log_iterations, std::size_t run) {
  const std::optional<Moments> m = moments(log_iterations);
  if (!m) return std::nullopt;
  return ProcessNumbers{run, m->mean, m->n, m->variance().value_or(0.0), static_cast<double>(m->n)};
}

std::optional<ProcessNumbers> process_by_median(double p25, double median, double p75, std::size_t n, std::size_t run) {
  if (n == 0 || !(p25 > 0.0) || !(median > 0.0) || !(p75 >= p25) || !std::isfinite(p75)) return std::nullopt;
  const double sd = std::log(p75 / p25) / quartile_distance;
  const auto size = static_cast<double>(n);
  // The median of one or two values is their mean.
  const double weight = n < 3 ? size : size * 2.0 * std::numbers::inv_pi;
  return ProcessNumbers{run, std::log(median), n, sd * sd, weight};
}

VarianceComponents variance_components(std::span<const ProcessNumbers> processes) {
  VarianceComponents parts;
  parts.iteration.note = one_iteration;
  parts.process.note = one_process;
  parts.run.note = one_run;
  if (processes.empty()) {
    parts.iteration.note = parts.process.note = parts.run.note = no_processes;
    return parts;
  }
  for (const ProcessNumbers& p : processes) {
    if (usable(p)) continue;
    parts.iteration.note = parts.process.note = parts.run.note = not_finite;
    return parts;
  }
  const NestedSums sums = nested_sums(processes);
  double iteration = 0.0;
  double process = 0.0;
  if (sums.iteration_df > 0.0) {
    iteration = set(parts.iteration, sums.iteration_squares / sums.iteration_df);
    parts.iteration.note = {};
  }
  if (sums.process_df > 0.0) {
    // E[squares] = process (W - within_run) + iteration (processes - runs)
    process =
        set(parts.process, (sums.process_squares - iteration * sums.process_df) / (sums.runs.weight - sums.within_run));
    parts.process.note = sums.iteration_df > 0.0 ? std::string_view{} : holds_iterations;
  }
  if (sums.runs.members > 1) {
    // E[squares] = run (W - sum W_i^2/W) + process (within_run - sum w^2/W) + iteration (runs - 1)
    const auto run_df = static_cast<double>(sums.runs.members - 1);
    const double weight = sums.runs.weight;
    const double below = process * (sums.within_run - sums.all_squared_weights / weight) + iteration * run_df;
    set(parts.run, (sums.runs.sum_of_squares() - below) / (weight - sums.runs.squared_weights / weight));
    parts.run.note = sums.process_df > 0.0 ? std::string_view{} : holds_processes;
  }
  return parts;
}

}  // namespace torchgate::stats
