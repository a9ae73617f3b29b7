// SPDX-License-Identifier: Apache-2.0
// Well-formed UTF-8 (Unicode 15, table 3-7): what a JSON string may consist of.
#pragma once

#include <cstddef>
#include <string_view>

namespace torchgate::base {

/// Length in bytes of the well-formed character that starts at `position`; 0 when there is none (overlong form,
/// surrogate, above U+10FFFF, truncated).
inline std::size_t utf8_length(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t offset) -> unsigned {
    return position + offset < text.size() ? static_cast<unsigned char>(text[position + offset]) : 0U;
  };
  const auto continues = [&](std::size_t offset, unsigned least = 0x80U, unsigned most = 0xBFU) {
    return byte(offset) >= least && byte(offset) <= most;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return position < text.size() ? 1 : 0;
  if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const unsigned least = lead == 0xE0U ? 0xA0U : 0x80U;
    const unsigned most = lead == 0xEDU ? 0x9FU : 0xBFU;
    return continues(1, least, most) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const unsigned least = lead == 0xF0U ? 0x90U : 0x80U;
    const unsigned most = lead == 0xF4U ? 0x8FU : 0xBFU;
    return continues(1, least, most) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace torchgate::base
