// SPDX-License-Identifier: Apache-2.0
#include "harness/code/function_code.hpp"

#include <algorithm>

namespace torchgate::code {
namespace {

/// To what compilers align loops and targets of jumps, at least and at most.
constexpr std::uint64_t least_alignment = 8;
constexpr std::uint64_t most_alignment = 64;

// Less than the alignment of the address that it leads to. Other nops were written by the programmer.
bool is_padding(std::uint64_t bytes, std::uint64_t behind) {
  const std::uint64_t alignment = std::min(behind & (~behind + 1), most_alignment);
  return alignment >= least_alignment && bytes < alignment;
}

}  // namespace

std::optional<FunctionCode> FunctionCode::read(const ElfImage& image, const Symbol& function, const Decoder& decoder) {
  FunctionCode code;
  const std::span<const std::uint8_t> content = image.content_at(function.address);
  std::uint64_t length = image.end_of(function) - function.address;
  if (length > content.size()) return std::nullopt;
  // Assembler code without a size: zeros up to the next function.
  while (function.bytes == 0 && length > 0 && content[length - 1] == 0) --length;
  std::size_t nops = 0;  // at the end of what was read
  std::uint64_t nop_bytes = 0;
  std::uint64_t at = 0;
  while (at < length) {
    const auto instruction = decoder.decode(content.subspan(at, length - at), function.address + at);
    if (!instruction) return std::nullopt;
    if (!instruction->does_nothing) {
      if (is_padding(nop_bytes, function.address + at))
        code.instructions_.erase(code.instructions_.end() - static_cast<std::ptrdiff_t>(nops),
                                 code.instructions_.end());
      nops = 0;
      nop_bytes = 0;
    } else {
      ++nops;
      nop_bytes += instruction->bytes;
    }
    code.instructions_.push_back({*instruction, function.address + at, content.subspan(at, instruction->bytes)});
    at += instruction->bytes;
  }
  code.instructions_.erase(code.instructions_.end() - static_cast<std::ptrdiff_t>(nops), code.instructions_.end());
  return code;
}

std::optional<std::size_t> FunctionCode::index_of(std::uint64_t address) const {
  const auto found =
      std::lower_bound(instructions_.begin(), instructions_.end(), address,
                       [](const PlacedInstruction& placed, std::uint64_t wanted) { return placed.address < wanted; });
  if (found != instructions_.begin()) {
    const PlacedInstruction& last = *std::prev(found);
    if (address - last.address < last.bytes.size()) return std::nullopt;
  }
  return static_cast<std::size_t>(found - instructions_.begin());
}

}  // namespace torchgate::code
