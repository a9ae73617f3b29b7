// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "stats/moderated_variance.hpp"
#include "stats/quantile.hpp"
#include "tests/simulations/pull_request.hpp"

namespace torchgate::simulations {
namespace {

// The limits of ci/calibrate and harness/record.
constexpr double smallest_run_sd = 0.001;
constexpr double largest_run_sd = 0.5;

}  // namespace

stats::ProcessNumbers process_numbers_of(std::span<const double> times) {
  std::vector<double> sorted(times.begin(), times.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double q) { return stats::quantile_of_sorted(sorted, q).value(); };
  return stats::process_by_median(at(0.25), at(0.5), at(0.75), sorted.size()).value();
}

std::vector<double> run_sd_of(std::span<const std::vector<stats::ProcessNumbers>> cases, std::size_t runs) {
  const double least = smallest_run_sd * smallest_run_sd;
  std::vector<stats::Variance> variances;
  for (const std::vector<stats::ProcessNumbers>& processes : cases) {
    const double between = stats::variance_components(processes).run.variance.value();
    variances.push_back({std::max(between, least), static_cast<double>(runs) - 1});
  }
  if (variances.size() >= stats::moderated_from_cases) variances = stats::moderate(variances).cases;
  std::vector<double> sd;
  for (const stats::Variance& one : variances) sd.push_back(std::min(std::sqrt(one.s2), largest_run_sd));
  return sd;
}

std::vector<double> calibrate_run_sd(const Machine& machine, std::size_t runs) {
  std::vector<std::vector<stats::ProcessNumbers>> cases(machine.suite().cases.size());
  for (std::size_t which = 0; which < cases.size(); ++which) {
    for (std::size_t age = runs; age >= 1; --age) {
      for (stats::ProcessNumbers one : machine.process_numbers(which, age)) {
        one.run = runs - age;
        cases[which].push_back(one);
      }
    }
  }
  return run_sd_of(cases, runs);
}

}  // namespace torchgate::simulations
