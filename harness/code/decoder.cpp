// SPDX-License-Identifier: Apache-2.0
#include "harness/code/decoder.hpp"

#include <Zydis/Zydis.h>
#include <dlfcn.h>

#include <array>

#include "harness/base/library_function.hpp"

namespace torchgate::code {
namespace {

using base::Error;
using base::ErrorCode;

// Debian has no static library of it, and the released program ships its libraries.
constexpr const char* library_name = "libZydis.so.4.0";

constexpr bool is_same_layout(ZyanU64 version) {
  return ZYDIS_VERSION_MAJOR(version) == ZYDIS_VERSION_MAJOR(ZYDIS_VERSION) &&
         ZYDIS_VERSION_MINOR(version) == ZYDIS_VERSION_MINOR(ZYDIS_VERSION);
}

// What the virtual CPU of Valgrind 3.19 to 3.24 has, CPUID says there, and programs choose their functions by that.
bool is_beyond_valgrind(const ZydisDecodedInstruction& decoded) {
  switch (decoded.encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_EVEX:
    case ZYDIS_INSTRUCTION_ENCODING_MVEX:
    case ZYDIS_INSTRUCTION_ENCODING_XOP:
    case ZYDIS_INSTRUCTION_ENCODING_3DNOW:
      return true;
    default:
      break;
  }
  switch (decoded.meta.isa_ext) {
    case ZYDIS_ISA_EXT_AMX_BF16:
    case ZYDIS_ISA_EXT_AMX_INT8:
    case ZYDIS_ISA_EXT_AMX_TILE:
    case ZYDIS_ISA_EXT_AVX512EVEX:
    case ZYDIS_ISA_EXT_AVX512VEX:
    case ZYDIS_ISA_EXT_AVX_VNNI:
    case ZYDIS_ISA_EXT_FMA4:
    case ZYDIS_ISA_EXT_GFNI:
    case ZYDIS_ISA_EXT_SHA:
    case ZYDIS_ISA_EXT_VAES:
    case ZYDIS_ISA_EXT_VPCLMULQDQ:
      return true;
    default:
      return false;
  }
}

Field field_of(unsigned bits, unsigned offset, std::int64_t value) {
  constexpr unsigned bits_per_byte = 8;
  return {static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(bits / bits_per_byte), value};
}

}  // namespace

base::Result<Decoder> Decoder::load() {
  static_assert(sizeof(ZydisDecoder) <= sizeof(decoder_));
  void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{ErrorCode::not_found,
                 std::string(library_name) + ": not installed; install it (apt-get install libzydis4.0)"};
  decltype(&ZydisGetVersion) version = nullptr;
  decltype(&ZydisDecoderInit) init = nullptr;
  Decoder decoder;
  decltype(&ZydisDecoderDecodeInstruction) instruction = nullptr;
  decltype(&ZydisDecoderDecodeOperands) operands = nullptr;
  if (!base::find_function(library, "ZydisGetVersion", version) ||
      !base::find_function(library, "ZydisDecoderInit", init) ||
      !base::find_function(library, "ZydisDecoderDecodeInstruction", instruction) ||
      !base::find_function(library, "ZydisDecoderDecodeOperands", operands) || !is_same_layout(version()))
    return Error{ErrorCode::not_found, std::string(library_name) + ": not of version 4.0; reinstall libzydis4.0"};
  decoder.decode_instruction_ = reinterpret_cast<void*>(instruction);
  decoder.decode_operands_ = reinterpret_cast<void*>(operands);
  if (!ZYAN_SUCCESS(init(reinterpret_cast<ZydisDecoder*>(decoder.decoder_.data()), ZYDIS_MACHINE_MODE_LONG_64,
                         ZYDIS_STACK_WIDTH_64)))
    return Error{ErrorCode::internal, std::string(library_name) + ": cannot be initialised"};
  return decoder;
}

base::Result<const Decoder*> Decoder::get() {
  static const base::Result<Decoder> loaded = load();
  if (!loaded) return loaded.error();
  return &*loaded;
}

std::optional<Instruction> Decoder::decode(std::span<const std::uint8_t> code, std::uint64_t address) const {
  const auto decode_instruction = reinterpret_cast<decltype(&ZydisDecoderDecodeInstruction)>(decode_instruction_);
  ZydisDecoderContext context;
  ZydisDecodedInstruction decoded;
  if (!ZYAN_SUCCESS(decode_instruction(reinterpret_cast<const ZydisDecoder*>(decoder_.data()), &context, code.data(),
                                       code.size(), &decoded)))
    return std::nullopt;
  Instruction instruction;
  instruction.bytes = decoded.length;
  instruction.mnemonic = static_cast<std::uint16_t>(decoded.mnemonic);
  instruction.does_nothing = decoded.mnemonic == ZYDIS_MNEMONIC_NOP;
  instruction.thread_local_access = (decoded.attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS) != 0;
  instruction.is_beyond_valgrind = is_beyond_valgrind(decoded);
  instruction.displacement = field_of(decoded.raw.disp.size, decoded.raw.disp.offset, decoded.raw.disp.value);
  const auto& immediate = decoded.raw.imm[0];
  instruction.immediate = field_of(immediate.size, immediate.offset, immediate.value.s);
  const std::uint64_t next = address + decoded.length;
  if (immediate.is_relative != 0) instruction.branch = next + static_cast<std::uint64_t>(immediate.value.s);
  // The operands take most of the time of decoding, and few instructions have an address in them.
  constexpr int relative_mod = 0;
  constexpr int relative_rm = 5;
  const bool has_address = (decoded.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 &&
                           decoded.raw.modrm.mod == relative_mod && decoded.raw.modrm.rm == relative_rm;
  if (has_address) add_address(&context, &decoded, next, instruction);
  return instruction;
}

void Decoder::add_address(const void* context, const void* decoded_instruction, std::uint64_t next,
                          Instruction& instruction) const {
  const auto decode_operands = reinterpret_cast<decltype(&ZydisDecoderDecodeOperands)>(decode_operands_);
  const auto& decoded = *static_cast<const ZydisDecodedInstruction*>(decoded_instruction);
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  if (!ZYAN_SUCCESS(decode_operands(reinterpret_cast<const ZydisDecoder*>(decoder_.data()),
                                    static_cast<const ZydisDecoderContext*>(context), &decoded, operands.data(),
                                    decoded.operand_count)))
    return;
  for (std::size_t i = 0; i < decoded.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.base != ZYDIS_REGISTER_RIP) continue;
    instruction.memory = next + static_cast<std::uint64_t>(operand.mem.disp.value);
    constexpr unsigned bits_per_byte = 8;
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_MEM) instruction.memory_bytes = operand.size / bits_per_byte;
    instruction.indirect_jump = decoded.mnemonic == ZYDIS_MNEMONIC_JMP;
  }
}

}  // namespace torchgate::code
