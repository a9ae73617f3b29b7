// SPDX-License-Identifier: Apache-2.0
// The sentence of a message that has the last output of a process below it.
#pragma once

#include <string_view>

namespace torchgate::base {

/// TEXT up to its first line break; all of it where there is none.
inline std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace torchgate::base
