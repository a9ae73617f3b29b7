// SPDX-License-Identifier: Apache-2.0
// Machine instructions of 64-bit x86, as far as a comparison needs them: where their addresses are, and what they refer to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "harness/base/result.hpp"

namespace torchgate::code {

/// A field of an instruction's bytes; none if it has 0 bytes.
struct Field {
  std::uint8_t offset = 0;
  std::uint8_t bytes = 0;
  std::int64_t value = 0;
};

struct Instruction {
  std::uint8_t bytes = 0;
  std::uint16_t mnemonic = 0;
  bool does_nothing = false;            ///< nop of any length: padding inside a function
  std::optional<std::uint64_t> branch;  ///< target of a relative jump or call
  std::optional<std::uint64_t> memory;  ///< address of an operand that is relative to the instruction
  std::uint32_t memory_bytes = 0;       ///< of that operand; 0: only its address is taken
  bool indirect_jump = false;           ///< jumps to what `memory` holds
  bool thread_local_access = false;     ///< through the segment register of thread-local variables
  bool is_beyond_valgrind = false;      ///< of an extension that Valgrind does not execute: AVX-512, AMX and the like
  Field displacement;
  Field immediate;
};

class Decoder {
 public:
  /// libZydis of this machine, loaded once. not_found: it is not installed, or in a version of another layout than this program knows.
  static base::Result<const Decoder*> get();

  /// The instruction at the beginning of CODE, which lies at ADDRESS. Absent: none that it knows.
  [[nodiscard]] std::optional<Instruction> decode(std::span<const std::uint8_t> code, std::uint64_t address) const;

 private:
  Decoder() = default;
  static base::Result<Decoder> load();
  void add_address(const void* context, const void* decoded_instruction, std::uint64_t next,
                   Instruction& instruction) const;
  void* decode_instruction_ = nullptr;
  void* decode_operands_ = nullptr;
  alignas(8) std::array<unsigned char, 128> decoder_{};  // ZydisDecoder
};

}  // namespace torchgate::code
