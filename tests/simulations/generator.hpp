// SPDX-License-Identifier: Apache-2.0
// Simulates timings of a suite: ln t = day + run + process + iteration, with the effects observed in real timings:
// autocorrelation between iterations (AR(1)), spikes, bursts, two modes, warm-up, disturbances by other load. A
// port of the reference simulator (simgen.py), in single precision where it does not matter.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tests/simulations/profiles.hpp"
#include "tests/simulations/random.hpp"

namespace torchgate::simulations {

inline constexpr std::size_t cases_per_suite = 200;
inline constexpr std::size_t processes_per_run = 5;
inline constexpr std::size_t iterations_per_process = 40;

/// How strongly a case follows the machine's day: uniform between these.
inline constexpr Range day_sensitivity{0.3, 1.7};

/// The properties of a case that are constant over all runs.
struct CaseTraits {
  double day = 1.0;
  double run = 0.0;
  double process = 0.0;
  double iteration = 0.0;
  double memory = 0.0;         ///< correlation of neighbouring iterations
  double mode_distance = 0.0;  ///< 0: one mode
  double mode_chance = 0.0;
  double warm_up = 0.0;
};

struct Suite {
  Profile profile;
  std::vector<CaseTraits> cases;
};
Suite draw_suite(const Profile& profile, std::size_t cases, Random& random);

/// ln t of the iterations of one process at this level; fills `samples`.
void draw_process(const Suite& suite, const CaseTraits& traits, double level, Random& random, std::span<float> samples);

/// The slow-down of a process or a run by other load: mostly 0, else 2-12 %.
double draw_disturbance(const Profile& profile, Random& random);

/// Iterations that belong to the warm-up are dropped before a process's value is taken.
enum class WarmUp { fixed, mser };
inline constexpr std::size_t fixed_warm_up = 5;  ///< as in the reference simulator

/// ln of the median of the steady iterations.
double process_value(std::span<const float> samples, WarmUp warm_up);

/// Consecutive levels of the machine: an AR(1) series with this correlation and the profile's day SD.
std::vector<double> draw_levels(const Profile& profile, double memory, std::size_t n, Random& random);

}  // namespace torchgate::simulations
