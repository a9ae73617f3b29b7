// SPDX-License-Identifier: Apache-2.0
// A small random generator whose numbers are the same on every platform; std::shuffle and the standard distributions
// are not, and a run must be repeatable from the seed in its record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace torchgate::launch {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014; constants of its
/// reference implementation). Passes BigCrush; far more than an order of some hundred processes needs.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, BOUND), without the bias of a bare remainder. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t incomplete =
        (0 - bound) % bound;  // 2^64 mod bound: the numbers that would occur once too often
    std::uint64_t number = next();
    while (number < incomplete) number = next();
    return number % bound;
  }

  bool coin() { return (next() >> 63) != 0; }

  /// Fisher and Yates, from the back.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace torchgate::launch
