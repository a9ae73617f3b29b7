// SPDX-License-Identifier: Apache-2.0
// What an address in a file means, in terms that do not depend on where things lie.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/code/decoder.hpp"
#include "harness/code/elf_image.hpp"

namespace torchgate::code {

enum class PlaceKind : std::uint8_t {
  code,                   ///< in a function of this file
  import,                 ///< a symbol that the dynamic linker finds
  thread_local_variable,  ///< where the dynamic linker writes how to find one
  named_data,             ///< in a variable with a symbol
  data,                   ///< without a symbol: literals, strings, tables of jumps
  unknown
};

struct Place {
  PlaceKind kind = PlaceKind::unknown;
  bool through_slot = false;       ///< the address is that of a pointer to it which the dynamic linker writes
  const Symbol* symbol = nullptr;  ///< code, named_data
  std::uint64_t offset = 0;        ///< in the symbol; of an import and a thread-local variable: what is added
  std::string_view import = {};    ///< name; empty: nothing defines it; of a thread-local variable: it is of this file
  std::uint32_t type = 0;          ///< of the relocation
  std::uint64_t address = 0;       ///< data
};

/// What ADDRESS in IMAGE means. Calls through the procedure linkage table are what they lead to.
Place place_at(const ElfImage& image, const Decoder& decoder, std::uint64_t address);

/// The same of what the dynamic linker writes.
Place place_of(const ElfImage& image, const Decoder& decoder, const Relocation& relocation);

/// For people: "foo", "data without a name".
std::string_view name_of(const Place& place);

}  // namespace torchgate::code
