// SPDX-License-Identifier: Apache-2.0
// Random numbers of the simulations: not those of the standard library, so that a seed gives the same numbers with every
// one of them, and fast, because a full run draws two billion. Generator: xoshiro256++ (Blackman & Vigna, public
// domain), seeded by splitmix64. Normal values: Marsaglia's polar method, two at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace torchgate::simulations {

class Random {
 public:
  /// The same parts give the same stream, any other parts an unrelated one.
  explicit Random(std::initializer_list<std::uint64_t> seed_parts);

  static Random of_state(const std::array<std::uint64_t, 4>& state);

  std::uint64_t bits();
  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// exp of a uniform value between ln(low) and ln(high).
  double log_uniform(double low, double high);
  bool chance(double probability) { return uniform() < probability; }
  /// 0 ... n-1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }
  double normal();
  /// Failures before the first success of trials with this probability: how far away the next rare event is.
  std::size_t geometric(double probability);

 private:
  Random() = default;
  std::array<std::uint64_t, 4> state_{};
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace torchgate::simulations
