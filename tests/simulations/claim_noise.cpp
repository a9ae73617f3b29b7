// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/claim_noise.hpp"

#include <algorithm>
#include <cmath>

#include "tests/simulations/generator.hpp"

namespace torchgate::simulations {
namespace {

// Of the log ratios of recorded runs (`simulations recorded-claims`): median, and the SD of the logarithm of a claim's SD.
constexpr double recorded_sd = 0.023;
constexpr double recorded_spread = 0.9;

constexpr double quiet_sd = 0.005;
constexpr double noisy_sd = 0.20;

// Variants that a suite compares with one reference, whose noise their ratios share.
constexpr std::size_t claims_of_a_reference = 3;

// Normal ratios with an SD for each reference. Half of the variance is the reference's, which its claims share.
std::vector<LogRatios> draw_normal(const std::vector<double>& sds, std::size_t shared_by, Random& random) {
  std::vector<LogRatios> ratios(sds.size());
  LogRatios reference{};
  for (std::size_t i = 0; i < sds.size(); ++i) {
    const double scale = sds[i] * std::sqrt(0.5);
    for (std::size_t p = 0; p < claim_processes; ++p) {
      if (i % shared_by == 0) reference[p] = scale * random.normal();
      ratios[i][p] = scale * random.normal() - reference[p];
    }
  }
  return ratios;
}

ClaimNoise recorded(const std::string& name, std::size_t shared_by) {
  return {name, true, [shared_by](std::size_t claims, Random& random) {
            std::vector<double> sds;
            for (std::size_t i = 0; i < claims; ++i) {
              const bool next = i % shared_by == 0;
              sds.push_back(next ? recorded_sd * std::exp(recorded_spread * random.normal()) : sds.back());
            }
            return draw_normal(sds, shared_by, random);
          }};
}

// The noisy ones come first: they are those that a study puts at their promise.
ClaimNoise two_groups(const std::string& name, double noisy_share) {
  return {name, true, [noisy_share](std::size_t claims, Random& random) {
            const double share = std::round(noisy_share * static_cast<double>(claims));
            const auto noisy = std::max<std::size_t>(1, static_cast<std::size_t>(share));
            std::vector<double> sds(claims, quiet_sd);
            std::fill_n(sds.begin(), noisy, noisy_sd);
            return draw_normal(sds, 1, random);
          }};
}

// One side in one process. `traits` are both sides', but for the second mode, which each has of its own.
double draw_side(const Suite& suite, const CaseTraits& traits, Random& random) {
  std::array<float, iterations_per_process> logs{};
  draw_process(suite, traits, draw_disturbance(suite.profile, random), random, logs);
  return process_value(logs, WarmUp::fixed) - traits.mode_chance * traits.mode_distance;
}

LogRatios draw_sides(const Suite& suite, const CaseTraits& traits, Random& random) {
  LogRatios values{};
  for (double& value : values) value = draw_side(suite, traits, random);
  return values;
}

ClaimNoise simulated(const Profile& profile, bool modes) {
  const std::string name = std::string(profile.name) + (modes ? "" : ", no second modes");
  return {name, false, [profile, modes](std::size_t claims, Random& random) {
            Suite suite = draw_suite(profile, 2 * claims, random);
            std::vector<LogRatios> ratios(claims);
            LogRatios reference{};
            CaseTraits shared;
            for (std::size_t i = 0; i < claims; ++i) {
              if (!modes) suite.cases[2 * i].mode_distance = suite.cases[2 * i + 1].mode_distance = 0.0;
              if (i % claims_of_a_reference == 0) {
                shared = suite.cases[2 * i];
                reference = draw_sides(suite, shared, random);
              }
              CaseTraits variant = shared;
              variant.mode_distance = suite.cases[2 * i + 1].mode_distance;
              variant.mode_chance = suite.cases[2 * i + 1].mode_chance;
              ratios[i] = draw_sides(suite, variant, random);
              for (std::size_t p = 0; p < claim_processes; ++p) ratios[i][p] -= reference[p];
            }
            return ratios;
          }};
}

}  // namespace

std::vector<ClaimNoise> claim_noises() {
  std::vector<ClaimNoise> noises{
      recorded("recorded SDs", 1),
      recorded("recorded SDs, four claims a reference", 4),
      two_groups("SD 0.5 %, of half 20 %", 0.5),
      two_groups("SD 0.5 %, of a tenth 20 %", 0.1),
      two_groups("SD 0.5 %, of one 20 %", 0.0),
  };
  for (const bool modes : {false, true}) {
    for (const Profile& profile : profiles) noises.push_back(simulated(profile, modes));
  }
  return noises;
}

}  // namespace torchgate::simulations
