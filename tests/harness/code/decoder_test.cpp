// SPDX-License-Identifier: Apache-2.0
// Encodings from the manuals: Intel SDM volume 2, "Instruction Set Reference".
#include "harness/code/decoder.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace torchgate::code {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint64_t at = 0x1000;

Instruction decoded(const Bytes& bytes) {
  const auto decoder = Decoder::get();
  EXPECT_TRUE(decoder) << decoder.error().message;
  const auto instruction = (*decoder)->decode(bytes, at);
  EXPECT_TRUE(instruction);
  return instruction.value_or(Instruction{});
}

TEST(Decoder, JumpsAndCallsHaveATarget) {
  EXPECT_EQ(decoded({0xe8, 0x10, 0, 0, 0}).branch, at + 5 + 0x10);
  EXPECT_EQ(decoded({0xeb, 0xfe}).branch, at);
  EXPECT_EQ(decoded({0x0f, 0x84, 0, 1, 0, 0}).branch, at + 6 + 0x100);
  EXPECT_FALSE(decoded({0xff, 0xe0}).branch);  // jmp rax
}

TEST(Decoder, OperandsRelativeToTheInstructionHaveAnAddress) {
  const Instruction lea = decoded({0x48, 0x8d, 0x05, 0x20, 0, 0, 0});
  EXPECT_EQ(lea.memory, at + 7 + 0x20);
  EXPECT_EQ(lea.memory_bytes, 0U);  // its address is taken
  const Instruction load = decoded({0x48, 0x8b, 0x05, 0x20, 0, 0, 0});
  EXPECT_EQ(load.memory_bytes, 8U);
  EXPECT_EQ(load.displacement.offset, 3);
  EXPECT_EQ(load.displacement.bytes, 4);
  const Instruction jump = decoded({0xff, 0x25, 0x10, 0, 0, 0});
  EXPECT_TRUE(jump.indirect_jump);
  EXPECT_EQ(jump.memory, at + 6 + 0x10);
  EXPECT_FALSE(decoded({0x48, 0x8b, 0x07}).memory);  // mov rax, [rdi]
}

TEST(Decoder, NopsOfEachLengthDoNothing) {
  EXPECT_TRUE(decoded({0x90}).does_nothing);
  EXPECT_TRUE(decoded({0x66, 0x90}).does_nothing);
  EXPECT_TRUE(decoded({0x0f, 0x1f, 0x44, 0, 0}).does_nothing);
  EXPECT_FALSE(decoded({0xf3, 0x90}).does_nothing);              // pause
  EXPECT_FALSE(decoded({0xf3, 0x0f, 0x1e, 0xfa}).does_nothing);  // endbr64
}

TEST(Decoder, KnowsWhatValgrindDoesNotExecute) {
  EXPECT_TRUE(decoded({0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc0}).is_beyond_valgrind);  // vaddps zmm0
  EXPECT_TRUE(decoded({0xc4, 0xe2, 0x6b, 0x5e, 0xc1}).is_beyond_valgrind);        // tdpbssd tmm0
  EXPECT_TRUE(decoded({0xc5, 0xf4, 0x41, 0xc2}).is_beyond_valgrind);              // kandw
  EXPECT_FALSE(decoded({0xc5, 0xfc, 0x58, 0xc0}).is_beyond_valgrind);             // vaddps ymm0
  EXPECT_TRUE(decoded({0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0}).thread_local_access);
}

TEST(Decoder, InvalidAndCutInstructionsAreAbsent) {
  const auto decoder = Decoder::get();
  ASSERT_TRUE(decoder);
  EXPECT_FALSE((*decoder)->decode(Bytes{0x06}, at));  // not in 64-bit mode
  EXPECT_FALSE((*decoder)->decode(Bytes{0xe8, 0}, at));
  EXPECT_FALSE((*decoder)->decode(Bytes{}, at));
}

}  // namespace
}  // namespace torchgate::code
