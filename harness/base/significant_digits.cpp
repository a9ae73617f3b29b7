// SPDX-License-Identifier: Apache-2.0
#include "harness/base/significant_digits.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace torchgate::base {

std::size_t significant_digits(double value) {
  constexpr int after_first = 14;
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                          std::chars_format::scientific, after_first);
  if (value == 0 || !std::isfinite(value) || error != std::errc()) return 0;
  std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));  // "1.20000000000000e+03"
  digits = digits.substr(0, digits.find('e'));
  const std::size_t last = digits.find_last_not_of("0.");
  return last == 0 ? 1 : last;  // the point counts for the digit before it
}

}  // namespace torchgate::base
