// SPDX-License-Identifier: Apache-2.0
// What data are made of: strings, padding, tables of distances, and what the dynamic linker writes into them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/code/elf_image.hpp"

namespace torchgate::code {

/// CONTENT from FROM on, BYTES of it, as far as it has them.
std::span<const std::uint8_t> some(std::span<const std::uint8_t> content, std::uint64_t from, std::uint64_t bytes);

/// Zeros that the dynamic linker leaves as they are.
bool is_empty(const ElfImage& image, std::uint64_t begin, std::uint64_t end);

/// Tables that GCC makes of a switch and of an initializer: the number is one of the file's, and their content is what counts.
bool is_numbered(std::string_view name);

/// nullptr: none does.
const Symbol* variable_that_ends_at(const ElfImage& image, std::uint64_t address);

/// LENGTH leads to the next place that something refers to. If the end of a string is itself a string that something refers to, the string
/// continues behind that place; one of wide characters contains zeros, so that several of them are its end.
std::uint64_t end_of_string(std::span<const std::uint8_t> content, std::uint64_t length);

/// The addresses that a table of 32-bit distances from itself leads to, if each leads to the first character behind a zero, outside of the table.
std::vector<std::uint64_t> offsets_to_strings(const ElfImage& image, std::uint64_t address, std::uint64_t bytes);

/// BYTES of SECTION from FROM on, as a section of their own.
Section part(const Section& section, std::uint64_t from, std::uint64_t bytes);

/// Data of equal length, one of each side.
struct SectionPair {
  Section before;
  Section after;

  /// IMAGE has BEFORE; the relocations of AFTER are at the same places.
  [[nodiscard]] bool same_outside_relocations(const ElfImage& image) const;
};

}  // namespace torchgate::code
