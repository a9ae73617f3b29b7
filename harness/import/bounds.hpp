// SPDX-License-Identifier: Apache-2.0
// What no file of measurements exceeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace torchgate::import {

/// 31 years: what is longer was not measured.
inline constexpr double longest_ns = 1e18;

/// Of a file that is held in memory: ten times the largest expected one (10,000 benchmarks with 30 values each in JSON).
inline constexpr std::int64_t most_file_bytes = std::int64_t{256} << 20U;

/// Values of one benchmark in one process. pytest-benchmark has some 100,000 rounds of a fast function.
inline constexpr std::size_t most_samples = 10'000'000;

inline constexpr double ns_per_us = 1e3;
inline constexpr double ns_per_ms = 1e6;
inline constexpr double ns_per_s = 1e9;
inline constexpr double ns_per_minute = 60e9;

/// Why NS is not the duration of a benchmark ("invalid time: NaN or infinite"); empty if it is one. Absent: not finite.
std::string invalid_time(std::optional<double> ns);

/// The failure of a benchmark that took NS, less than a clock cycle.
std::string measures_nothing(double ns);

/// The whole of TEXT as a finite or non-finite number, independent of the locale; absent: not a number.
std::optional<double> number_in(std::string_view text);

/// What is wrong with TEXT, which is not a number: "\"5,25\" is not a number; a decimal comma: run the program with LC_ALL=C".
std::string not_a_number(std::string_view text);

}  // namespace torchgate::import
