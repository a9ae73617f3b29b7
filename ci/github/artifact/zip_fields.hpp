// SPDX-License-Identifier: Apache-2.0
// Numbers in the headers of a zip file: little-endian, at fixed offsets (PKWARE's APPNOTE.TXT 6.3.10, section 4.3). Only the
// functions of this header look at single bytes of the file; all of them are bounded.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::github {

/// COUNT bytes at OFFSET; absent if they are not all in BYTES. Cannot overflow.
inline std::optional<std::string_view> slice(std::string_view bytes, std::uint64_t offset, std::uint64_t count) {
  if (offset > bytes.size() || count > bytes.size() - offset) return std::nullopt;
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

/// REQUIRES: the field is in HEADER, which comes from slice() with the size of its kind of header.
template <class Unsigned>
Unsigned field(std::string_view header, std::size_t offset) {
  assert(offset + sizeof(Unsigned) <= header.size());
  Unsigned value = 0;
  for (std::size_t i = sizeof(Unsigned); i-- > 0;)
    value = static_cast<Unsigned>((static_cast<std::uint64_t>(value) << 8U) |
                                  static_cast<unsigned char>(header[offset + i]));
  return value;
}

inline std::uint64_t field16(std::string_view header, std::size_t offset) {
  return field<std::uint16_t>(header, offset);
}
inline std::uint64_t field32(std::string_view header, std::size_t offset) {
  return field<std::uint32_t>(header, offset);
}
inline std::uint64_t field64(std::string_view header, std::size_t offset) {
  return field<std::uint64_t>(header, offset);
}

/// In place of a number that is in a zip64 field or record instead.
inline constexpr std::uint64_t in_zip64_16 = 0xffff;
inline constexpr std::uint64_t in_zip64_32 = 0xffffffff;

/// What is wrong with a zip file; callers put the file and the entry before it.
inline base::Error refused(std::string problem) {
  return {base::ErrorCode::bad_input, std::move(problem)};
}

}  // namespace torchgate::github
