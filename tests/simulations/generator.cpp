// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/mser.hpp"

namespace torchgate::simulations {
namespace {

constexpr Range memory_range{0.0, 0.85};
constexpr Range mode_distance_range{0.02, 0.08};
constexpr Range mode_chance_range{0.1, 0.5};
constexpr Range burst_height{0.05, 0.30};
constexpr Range disturbance_height{0.02, 0.12};
constexpr double warm_up_height = 0.15;
constexpr double warm_up_length = 3.0;
constexpr double spike_floor = 0.2;

double in(const Range& range, Random& random) {
  return random.uniform(range.low, range.high);
}

// The warm-up's shape is the same in every process.
const std::array<float, iterations_per_process>& warm_up_shape() {
  static const auto shape = [] {
    std::array<float, iterations_per_process> heights{};
    for (std::size_t i = 0; i < heights.size(); ++i) {
      heights[i] = static_cast<float>(warm_up_height * std::exp(-static_cast<double>(i) / warm_up_length));
    }
    return heights;
  }();
  return shape;
}

// ln of 1.2 and more, heavy-tailed: a Pareto value of shape 2 beside the ordinary time.
float draw_spike(Random& random) {
  const double lomax = 1.0 / std::sqrt(1.0 - random.uniform()) - 1.0;
  return static_cast<float>(std::log1p(lomax + spike_floor));
}

}  // namespace

Suite draw_suite(const Profile& profile, std::size_t cases, Random& random) {
  Suite suite{profile, std::vector<CaseTraits>(cases)};
  for (CaseTraits& traits : suite.cases) {
    traits.day = in(day_sensitivity, random);
    traits.run = random.log_uniform(profile.run.low, profile.run.high);
    traits.process = random.log_uniform(profile.process.low, profile.process.high);
    traits.iteration = random.log_uniform(profile.iteration.low, profile.iteration.high);
    traits.memory = in(memory_range, random);
    traits.mode_distance = in(mode_distance_range, random) * (random.chance(profile.bimodal_share) ? 1.0 : 0.0);
    traits.mode_chance = in(mode_chance_range, random);
    traits.warm_up = random.uniform();
  }
  return suite;
}

void draw_process(const Suite& suite, const CaseTraits& traits, double level, Random& random,
                  std::span<float> samples) {
  const Profile& profile = suite.profile;
  level += traits.process * random.normal();
  if (random.chance(traits.mode_chance)) level += traits.mode_distance;
  const auto memory = static_cast<float>(traits.memory);
  const auto news = static_cast<float>(std::sqrt(1.0 - traits.memory * traits.memory));
  const auto scale = static_cast<float>(traits.iteration);
  const auto base = static_cast<float>(level);
  const auto warm = static_cast<float>(traits.warm_up);
  const auto& shape = warm_up_shape();
  auto wander = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i > 0) wander = memory * wander + news * static_cast<float>(random.normal());
    samples[i] = base + scale * wander + warm * shape[i];
  }
  for (std::size_t i = random.geometric(profile.spike); i < samples.size(); i += 1 + random.geometric(profile.spike)) {
    samples[i] += draw_spike(random);
  }
  if (random.chance(profile.burst)) {
    const std::size_t shortest = std::max<std::size_t>(2, samples.size() / 10);
    const std::size_t length = shortest + random.below(samples.size() / 2 + 1 - shortest);
    const std::size_t start = random.below(samples.size() - length + 1);
    const auto height = static_cast<float>(in(burst_height, random));
    for (float& sample : samples.subspan(start, length)) sample += height;
  }
}

double draw_disturbance(const Profile& profile, Random& random) {
  return random.chance(profile.disturbance) ? in(disturbance_height, random) : 0.0;
}

double process_value(std::span<const float> samples, WarmUp warm_up) {
  std::array<double, iterations_per_process> values{};
  std::copy(samples.begin(), samples.end(), values.begin());
  std::size_t cut = fixed_warm_up;
  if (warm_up == WarmUp::mser) cut = stats::mser5(std::span(values).first(samples.size()))->discard;
  const std::span<double> steady = std::span(values).first(samples.size()).subspan(cut);
  const auto middle = steady.begin() + static_cast<std::ptrdiff_t>(steady.size() / 2);
  std::nth_element(steady.begin(), middle, steady.end());
  if (steady.size() % 2 == 1) return *middle;
  return (*std::max_element(steady.begin(), middle) + *middle) / 2.0;
}

std::vector<double> draw_levels(const Profile& profile, double memory, std::size_t n, Random& random) {
  std::vector<double> levels(n);
  const double news = profile.day * std::sqrt(1.0 - memory * memory);
  for (std::size_t i = 0; i < n; ++i) {
    levels[i] = i == 0 ? random.normal() * profile.day : memory * levels[i - 1] + random.normal() * news;
  }
  return levels;
}

}  // namespace torchgate::simulations
