// SPDX-License-Identifier: Apache-2.0
// The instructions of one function, without padding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/code/decoder.hpp"
#include "harness/code/elf_image.hpp"

namespace torchgate::code {

struct PlacedInstruction {
  Instruction instruction;
  std::uint64_t address = 0;
  std::span<const std::uint8_t> bytes;
};

class FunctionCode {
 public:
  /// Of FUNCTION in IMAGE. Absent: its bytes are not all instructions that DECODER knows, or are not in the file.
  static std::optional<FunctionCode> read(const ElfImage& image, const Symbol& function, const Decoder& decoder);

  [[nodiscard]] const std::vector<PlacedInstruction>& instructions() const { return instructions_; }
  /// The number of the instruction at ADDRESS; in padding that was left out, of the next one. Absent: it is within an instruction.
  [[nodiscard]] std::optional<std::size_t> index_of(std::uint64_t address) const;

 private:
  std::vector<PlacedInstruction> instructions_;
};

}  // namespace torchgate::code
