// SPDX-License-Identifier: Apache-2.0
// Reads the encodings that the tables of exception handling have in common. (DWARF 5, section 7.6; Linux Standard Base, "DWARF Extensions".)
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace torchgate::code {

class DwarfCursor {
 public:
  /// CONTENT lies at ADDRESS in its file.
  DwarfCursor(std::span<const std::uint8_t> content, std::uint64_t address) : content_(content), address_(address) {}

  /// Something was read that is not in the content or in an encoding that is not known. What was read since then is 0.
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return failed_ || at_ == content_.size(); }
  [[nodiscard]] std::uint64_t address() const { return address_ + at_; }

  /// The next BYTES (1, 2, 4 or 8) as a number.
  std::uint64_t fixed(std::size_t bytes);
  std::uint64_t unsigned_leb();
  std::int64_t signed_leb();
  /// Up to the next zero, which is skipped.
  std::string_view text();
  /// A number or an address in ENCODING (DW_EH_PE_...); 0 stays 0. Whether it is that of a pointer (DW_EH_PE_indirect) is the caller's matter.
  std::uint64_t pointer(std::uint8_t encoding);
  /// The next BYTES as a cursor of their own, and skips them.
  DwarfCursor part(std::uint64_t bytes);
  void skip(std::uint64_t bytes) { (void)part(bytes); }

 private:
  std::uint64_t leb(bool is_signed);

  std::span<const std::uint8_t> content_;
  std::uint64_t address_ = 0;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// How many bytes a pointer in ENCODING has; 0: it depends on its value, or the encoding is not known.
std::size_t bytes_of_encoding(std::uint8_t encoding);

constexpr std::uint8_t no_pointer = 0xff;  ///< DW_EH_PE_omit
constexpr bool is_indirect(std::uint8_t encoding) {
  return encoding != no_pointer && (encoding & 0x80U) != 0;  // DW_EH_PE_indirect
}

}  // namespace torchgate::code
