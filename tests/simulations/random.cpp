// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/random.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace torchgate::simulations {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

Random::Random(std::initializer_list<std::uint64_t> seed_parts) {
  std::uint64_t mixed = 0;
  for (std::uint64_t part : seed_parts) {
    mixed ^= part;
    mixed = splitmix64(mixed);
  }
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

Random Random::of_state(const std::array<std::uint64_t, 4>& state) {
  Random random;
  random.state_ = state;
  return random;
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::log_uniform(double low, double high) {
  return std::exp(uniform(std::log(low), std::log(high)));
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x = 0.0;
  double y = 0.0;
  double square = 0.0;
  do {
    x = uniform(-1.0, 1.0);
    y = uniform(-1.0, 1.0);
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(square) / square);
  spare_ = y * scale;
  has_spare_ = true;
  return x * scale;
}

std::size_t Random::geometric(double probability) {
  if (probability <= 0.0) return std::numeric_limits<std::size_t>::max();
  const double gap = std::log1p(-uniform()) / std::log1p(-probability);
  constexpr double far = 1e15;  // beyond any series
  return static_cast<std::size_t>(gap < far ? gap : far);
}

}  // namespace torchgate::simulations
