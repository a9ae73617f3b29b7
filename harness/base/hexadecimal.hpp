// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace torchgate::base {

/// Lower-case hexadecimal digits only, at least one.
constexpr bool is_lower_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace torchgate::base
