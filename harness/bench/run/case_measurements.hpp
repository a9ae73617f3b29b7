// SPDX-License-Identifier: Apache-2.0
// From the samples of a case to the measurements of its result.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/bench/metrics.hpp"
#include "harness/bench/sampling/sampler.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// An exact metric's value.
record::Measurement exact_value_of(const std::string& metric, double value);

/// A timed metric's samples and their summary, which leaves out the first `discarded`. std::runtime_error if a number is not
/// finite.
record::Measurement timed_measurement(const std::string& metric, std::vector<double> samples, std::size_t discarded);

/// How many samples at the start belong to the warm-up; says so in the result.
std::size_t find_steady_state(const std::vector<double>& wall_ns, record::CaseResult& result);

/// Mean and number of the samples of each turn, and the floor of all. std::runtime_error if there was no turn.
record::TurnTimes turn_times(const Samples& samples);

/// std::runtime_error for a value that no metric of `declared` expects, or that is recorded in the wrong way.
void check_declared(const Samples& samples, const std::vector<OwnMetric>& declared);

/// The names of those that have the largest value of all ranks.
std::vector<std::string> of_all_ranks(const std::vector<OwnMetric>& declared);

struct Counted {
  std::size_t samples = 0;
  std::size_t discarded = 0;  ///< at their start: warm-up
};

/// Adds what the calls recorded themselves, which it takes from `samples`. std::runtime_error if a declared metric is missing in a
/// sample, or an exact one changes.
void add_own_metrics(const std::vector<OwnMetric>& declared, Samples& samples, const Counted& counted,
                     record::CaseResult& result);

}  // namespace torchgate::bench
