// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/coin.hpp"

#include <algorithm>
#include <cmath>

#include "stats/signed_rank.hpp"
#include "tests/simulations/random.hpp"

namespace torchgate::simulations {
namespace {

constexpr std::size_t processes = 2 * coin_pairs;
using Series = std::array<double, processes>;

void fill_ar(Series& x, double memory, Random& random) {
  const double news = std::sqrt(1.0 - memory * memory);
  for (std::size_t t = 0; t < x.size(); ++t)
    x[t] = t == 0 ? random.normal() : memory * x[t - 1] + news * random.normal();
}

void fill_bursts(Series& x, Random& random) {
  constexpr double start = 0.15;
  constexpr double height = 3.0;
  constexpr double background = 0.3;
  for (double& value : x) value = background * random.normal();
  std::size_t hit_until = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    if (random.chance(start)) hit_until = std::max(hit_until, t + 2 + random.below(2));
    if (t < hit_until) x[t] += height;
  }
}

void fill_linear(Series& x, Random& random) {
  constexpr double rise = 8.0;
  constexpr double background = 0.3;
  for (std::size_t t = 0; t < x.size(); ++t) {
    x[t] = background * random.normal() + rise * static_cast<double>(t) / static_cast<double>(x.size() - 1);
  }
}

void fill(Noise noise, Series& x, Random& random) {
  switch (noise) {
    case Noise::independent:
      return fill_ar(x, 0.0, random);
    case Noise::ar_035:
      return fill_ar(x, 0.35, random);
    case Noise::ar_070:
      return fill_ar(x, 0.7, random);
    case Noise::bursts:
      return fill_bursts(x, random);
    case Noise::linear:
      return fill_linear(x, random);
  }
}

}  // namespace

std::string_view name_of(Noise noise) {
  switch (noise) {
    case Noise::independent:
      return "independent";
    case Noise::ar_035:
      return "AR(1) .35";
    case Noise::ar_070:
      return "AR(1) .7";
    case Noise::bursts:
      return "bursts of 2-3 processes";
    case Noise::linear:
      return "linear drift";
  }
  return "";
}

Level signed_rank_level(Noise noise, std::size_t draws, std::uint64_t seed) {
  Random random({seed, static_cast<std::uint64_t>(noise)});
  Level level;
  Series x{};
  std::array<double, coin_pairs> differences{};
  for (; level.draws < draws; ++level.draws) {
    fill(noise, x, random);
    for (std::size_t k = 0; k < coin_pairs; ++k) {
      const double difference = x[2 * k + 1] - x[2 * k];
      differences[k] = random.chance(0.5) ? difference : -difference;
    }
    const double p = stats::signed_rank(differences)->p;
    for (std::size_t i = 0; i < levels.size(); ++i) level.below[i] += p < levels[i] ? 1U : 0U;
  }
  return level;
}

}  // namespace torchgate::simulations
