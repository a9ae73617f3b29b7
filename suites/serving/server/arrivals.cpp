// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/arrivals.hpp"

#include <cmath>

namespace torchgate::serving {
namespace {

// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

std::vector<std::chrono::nanoseconds> poisson_arrivals(std::size_t count, double per_second, std::uint64_t seed) {
  constexpr double ns_per_s = 1e9;
  constexpr double two_to_53 = 9007199254740992.0;
  std::vector<std::chrono::nanoseconds> times;
  times.reserve(count);
  double now_ns = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = static_cast<double>(splitmix64(seed) >> 11U) / two_to_53;
    now_ns += -std::log1p(-u) / per_second * ns_per_s;
    times.emplace_back(static_cast<std::int64_t>(now_ns));
  }
  return times;
}

}  // namespace torchgate::serving
