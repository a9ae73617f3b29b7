// SPDX-License-Identifier: Apache-2.0
#include "harness/code/place.hpp"

#include <cstring>

namespace torchgate::code {
namespace {

constexpr std::size_t slot_bytes = 8;

bool is_slots(const Section& section) {
  return section.name == ".got" || section.name == ".got.plt";
}

bool is_linkage_table(const Section& section) {
  return section.name.starts_with(".plt");
}

// Slots do not lead to slots or to what jumps through them, except in a damaged file.
bool is_in_slots(const ElfImage& image, std::uint64_t address) {
  const Section* const section = image.section_at(address);
  return section != nullptr && (is_slots(*section) || is_linkage_table(*section));
}

// A slot of a file that lies where it was linked for may be filled already.
Place place_in_slot(const ElfImage& image, const Decoder& decoder, std::uint64_t address) {
  Place place;
  if (const Relocation* const relocation = image.relocation_at(address)) {
    if (!relocation->symbol.empty() || !is_in_slots(image, relocation->addend))
      place = place_of(image, decoder, *relocation);
  } else if (const auto content = image.content_at(address); content.size() >= slot_bytes) {
    std::uint64_t target = 0;
    std::memcpy(&target, content.data(), slot_bytes);
    if (target == 0) place.kind = PlaceKind::import;  // of a weak symbol that nothing defines
    if (target != 0 && !is_in_slots(image, target)) place = place_at(image, decoder, target);
  }
  place.through_slot = true;
  return place;
}

// An entry is one jump through a slot, behind what marks it as a target of jumps.
Place place_behind_entry(const ElfImage& image, const Decoder& decoder, std::uint64_t address) {
  constexpr int most_instructions = 3;
  for (int i = 0; i < most_instructions; ++i) {
    const auto instruction = decoder.decode(image.content_at(address), address);
    if (!instruction) break;
    if (instruction->indirect_jump && instruction->memory) {
      Place place = place_in_slot(image, decoder, *instruction->memory);
      place.through_slot = false;
      return place;
    }
    address += instruction->bytes;
  }
  return {};
}

}  // namespace

Place place_of(const ElfImage& image, const Decoder& decoder, const Relocation& relocation) {
  Place place;
  place.type = relocation.type;
  place.import = relocation.symbol;
  place.offset = relocation.addend;
  if (relocation.thread_local_variable) {
    place.kind = PlaceKind::thread_local_variable;
  } else if (!relocation.symbol.empty()) {
    place.kind = PlaceKind::import;
  } else {
    return place_at(image, decoder, relocation.addend);
  }
  return place;
}

Place place_at(const ElfImage& image, const Decoder& decoder, std::uint64_t address) {
  Place place;
  place.address = address;
  const Section* const section = image.section_at(address);
  const Symbol* const symbol = image.symbol_at(address);
  if (symbol != nullptr) {
    place.symbol = symbol;
    place.offset = address - symbol->address;
    place.kind = symbol->kind == SymbolKind::function ? PlaceKind::code : PlaceKind::named_data;
    return place;
  }
  if (section == nullptr) return place;
  if (is_slots(*section)) return place_in_slot(image, decoder, address);
  if (is_linkage_table(*section)) return place_behind_entry(image, decoder, address);
  if (!section->executable) place.kind = PlaceKind::data;
  return place;
}

std::string_view name_of(const Place& place) {
  switch (place.kind) {
    case PlaceKind::code:
    case PlaceKind::named_data:
      return place.symbol->name;
    case PlaceKind::import:
      return place.import;
    case PlaceKind::thread_local_variable:
      return place.import.empty() ? "a thread-local variable" : place.import;
    case PlaceKind::data:
      return "data without a name";
    case PlaceKind::unknown:
      break;
  }
  return "an unknown place";
}

}  // namespace torchgate::code
