// SPDX-License-Identifier: Apache-2.0
#include "harness/code/data_content.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace torchgate::code {
namespace {

constexpr std::size_t address_bytes = 8;
constexpr std::size_t distance_bytes = 4;

bool all_zero(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

std::uint64_t first_zero(std::span<const std::uint8_t> content, std::uint64_t from) {
  const auto rest = some(content, from, content.size());
  return from + static_cast<std::uint64_t>(std::find(rest.begin(), rest.end(), 0) - rest.begin());
}

std::uint64_t relocated_bytes(const Relocation& relocation) {
  const bool narrow =
      relocation.type == R_X86_64_32 || relocation.type == R_X86_64_32S || relocation.type == R_X86_64_PC32;
  return narrow ? distance_bytes : address_bytes;
}

}  // namespace

std::span<const std::uint8_t> some(std::span<const std::uint8_t> content, std::uint64_t from, std::uint64_t bytes) {
  if (from >= content.size()) return {};
  return content.subspan(from, std::min<std::uint64_t>(bytes, content.size() - from));
}

bool is_empty(const ElfImage& image, std::uint64_t begin, std::uint64_t end) {
  return all_zero(some(image.content_at(begin), 0, end - begin)) && image.relocated(begin, end).empty();
}

bool is_numbered(std::string_view name) {
  return name.starts_with("CSWTCH.") ||
         (name.starts_with("C.") && name.find_first_not_of("0123456789.", 1) == std::string_view::npos);
}

const Symbol* variable_that_ends_at(const ElfImage& image, std::uint64_t address) {
  const Symbol* const symbol = address > 0 ? image.symbol_at(address - 1) : nullptr;
  const bool ends =
      symbol != nullptr && symbol->kind == SymbolKind::object && symbol->address + symbol->bytes == address;
  return ends ? symbol : nullptr;
}

std::uint64_t end_of_string(std::span<const std::uint8_t> content, std::uint64_t length) {
  constexpr std::uint64_t zeros_of_wide_end = 7;  // of U"a": three of the letter and four of the end
  constexpr std::uint64_t longest_wide = 1 << 16;
  const std::uint64_t zero = first_zero(content, 0);
  if (zero >= length) return first_zero(content, length);
  if (zero + 1 >= length || length >= content.size()) return length;
  const auto ends_here = [&](std::uint64_t end) {
    return end >= zeros_of_wide_end && all_zero(content.subspan(end - zeros_of_wide_end, zeros_of_wide_end));
  };
  const bool wide = content[0] != 0 && content[1] == 0;
  if (!wide) return length;
  while (!ends_here(length) && length < std::min<std::uint64_t>(content.size(), longest_wide)) ++length;
  return length;
}

std::vector<std::uint64_t> offsets_to_strings(const ElfImage& image, std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t least_entries = 2;
  const auto content = image.content_at(address);
  if (bytes % distance_bytes != 0 || bytes / distance_bytes < least_entries || bytes > content.size() ||
      !image.relocated(address, address + bytes).empty())
    return {};
  std::vector<std::uint64_t> targets;
  for (std::uint64_t at = 0; at < bytes; at += distance_bytes) {
    std::int32_t distance = 0;
    std::memcpy(&distance, content.data() + at, distance_bytes);
    const std::uint64_t target = address + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance));
    const Section* const section = image.section_at(target);
    const bool in_table = target - address < bytes;
    if (section == nullptr || section->executable || section->content.empty() || in_table) return {};
    const std::uint64_t offset = target - section->address;
    if (offset > 0 && section->content[static_cast<std::size_t>(offset) - 1] != 0) return {};
    targets.push_back(target);
  }
  return targets;
}

Section part(const Section& section, std::uint64_t from, std::uint64_t bytes) {
  Section result = section;
  result.address += from;
  result.bytes = bytes;
  result.content = some(section.content, from, bytes);
  return result;
}

bool SectionPair::same_outside_relocations(const ElfImage& image) const {
  if (before.content.size() != after.content.size()) return false;
  std::uint64_t at = 0;
  const auto same_up_to = [&](std::uint64_t end) {
    return end <= at || std::ranges::equal(some(before.content, at, end - at), some(after.content, at, end - at));
  };
  for (const std::uint64_t address : image.relocated(before.address, before.address + before.bytes)) {
    if (!same_up_to(address - before.address)) return false;
    at = address - before.address + relocated_bytes(*image.relocation_at(address));
  }
  return same_up_to(before.bytes);
}

}  // namespace torchgate::code
