// SPDX-License-Identifier: Apache-2.0
#include "harness/code/dwarf_cursor.hpp"

#include <algorithm>

namespace torchgate::code {
namespace {

// Of DW_EH_PE_...: the low four bits are how it is written, the next three what it is relative to.
constexpr std::uint8_t format_mask = 0x0f;
constexpr std::uint8_t base_mask = 0x70;
constexpr std::uint8_t relative_to_itself = 0x10;
constexpr std::uint8_t format_uleb128 = 0x01;
constexpr std::uint8_t format_sleb128 = 0x09;
constexpr std::uint8_t format_signed = 0x08;

constexpr unsigned bits_per_byte = 8;
constexpr unsigned bits_per_address = 64;

}  // namespace

std::size_t bytes_of_encoding(std::uint8_t encoding) {
  switch (encoding & format_mask) {
    case 0x00:  // DW_EH_PE_absptr
    case 0x04:  // udata8
    case 0x0c:  // sdata8
      return 8;
    case 0x02:  // udata2
    case 0x0a:  // sdata2
      return 2;
    case 0x03:  // udata4
    case 0x0b:  // sdata4
      return 4;
    default:
      return 0;
  }
}

std::uint64_t DwarfCursor::fixed(std::size_t bytes) {
  if (failed_ || content_.size() - at_ < bytes) {
    failed_ = true;
    return 0;
  }
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i > 0; --i) value = value << bits_per_byte | content_[at_ + i - 1];
  at_ += bytes;
  return value;
}

std::uint64_t DwarfCursor::leb(bool is_signed) {
  constexpr unsigned payload_bits = 7;
  constexpr std::uint8_t payload_mask = 0x7f;
  constexpr std::uint8_t sign_bit = 0x40;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < bits_per_address; shift += payload_bits) {
    const auto byte = static_cast<std::uint8_t>(fixed(1));
    if (failed_) return 0;
    value |= static_cast<std::uint64_t>(byte & payload_mask) << shift;
    if ((byte & ~payload_mask) != 0) continue;
    const unsigned end = shift + payload_bits;
    if (is_signed && (byte & sign_bit) != 0 && end < bits_per_address) value |= ~std::uint64_t{0} << end;
    return value;
  }
  failed_ = true;
  return 0;
}

std::uint64_t DwarfCursor::unsigned_leb() {
  return leb(false);
}

std::int64_t DwarfCursor::signed_leb() {
  return static_cast<std::int64_t>(leb(true));
}

std::string_view DwarfCursor::text() {
  const auto rest = content_.subspan(at_);
  const auto end = std::find(rest.begin(), rest.end(), 0);
  if (failed_ || end == rest.end()) {
    failed_ = true;
    return {};
  }
  const auto length = static_cast<std::size_t>(end - rest.begin());
  at_ += length + 1;
  return {reinterpret_cast<const char*>(rest.data()), length};
}

std::uint64_t DwarfCursor::pointer(std::uint8_t encoding) {
  const std::uint64_t here = address();
  const std::uint8_t format = encoding & format_mask;
  const std::uint8_t base = encoding & base_mask;
  if (encoding == no_pointer || (base != 0 && base != relative_to_itself)) failed_ = true;
  std::uint64_t value = 0;
  if (format == format_uleb128) {
    value = unsigned_leb();
  } else if (format == format_sleb128) {
    value = static_cast<std::uint64_t>(signed_leb());
  } else if (const std::size_t bytes = bytes_of_encoding(encoding); bytes > 0) {
    value = fixed(bytes);
    const auto bits = static_cast<unsigned>(bytes) * bits_per_byte;
    if ((format & format_signed) != 0 && bits < bits_per_address && (value >> (bits - 1)) != 0)
      value |= ~std::uint64_t{0} << bits;
  } else {
    failed_ = true;
  }
  if (failed_) return 0;
  return value != 0 && base == relative_to_itself ? value + here : value;
}

DwarfCursor DwarfCursor::part(std::uint64_t bytes) {
  DwarfCursor part({}, address());
  if (failed_ || content_.size() - at_ < bytes) {
    failed_ = part.failed_ = true;
    return part;
  }
  part.content_ = content_.subspan(at_, static_cast<std::size_t>(bytes));
  at_ += static_cast<std::size_t>(bytes);
  return part;
}

}  // namespace torchgate::code
