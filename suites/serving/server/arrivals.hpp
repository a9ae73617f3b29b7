// SPDX-License-Identifier: Apache-2.0
// When requests arrive: a Poisson process, the same for the same seed on every machine.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace torchgate::serving {

/// Times of `count` arrivals after the start, with `per_second` of them on average: gaps are exponential,
/// -ln(1 - u) / rate, u from splitmix64's upper 53 bits. (The distributions of <random> differ from library to library.)
/// REQUIRES: per_second > 0.
std::vector<std::chrono::nanoseconds> poisson_arrivals(std::size_t count, double per_second, std::uint64_t seed);

}  // namespace torchgate::serving
