// SPDX-License-Identifier: Apache-2.0
#include "harness/base/counted.hpp"

namespace torchgate::base {

std::string grouped(std::int64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    const bool after_digit = at > 0 && digits[at - 1] != '-';
    if (after_digit && (digits.size() - at) % 3 == 0) text += ',';
    text += digits[at];
  }
  return text;
}

}  // namespace torchgate::base
