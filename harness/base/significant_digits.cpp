// SPDX-License-Identifier: Apache-2.0
#include "harness/base/significant_digits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace torchgate::base {

std::size_t significant_digits(double value) {
  constexpr double least_fixed = 1e-4;  // as a program prints them, smaller and larger ones have an exponent
  constexpr double least_large = 1e16;
  const double size = std::abs(value);
  const bool fixed = size == 0 || (size >= least_fixed && size < least_large);
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), size,
                                          fixed ? std::chars_format::fixed : std::chars_format::scientific);
  std::string digits(text.data(), error == std::errc() ? end : text.data());
  digits.resize(std::min(digits.find('e'), digits.size()));
  std::erase(digits, '.');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return digits.size();
}

}  // namespace torchgate::base
