// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/profiles.hpp"

#include <cmath>

#include "tests/simulations/generator.hpp"

namespace torchgate::simulations {

std::optional<Profile> find_profile(std::string_view name) {
  for (const Profile& profile : profiles) {
    if (profile.name == name) return profile;
  }
  return std::nullopt;
}

double run_to_run_sd(const Profile& profile) {
  // Means of squares: of a uniform value and of a log-uniform one.
  const auto [a, b] = day_sensitivity;
  const double sensitivity = (a * a + a * b + b * b) / 3.0;
  const auto [low, high] = profile.run;
  const double own = (high * high - low * low) / (2.0 * std::log(high / low));
  return std::sqrt(sensitivity * profile.day * profile.day + own);
}

}  // namespace torchgate::simulations
