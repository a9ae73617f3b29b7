// SPDX-License-Identifier: Apache-2.0
#include "harness/code/references.hpp"

#include <algorithm>

namespace torchgate::code {
namespace {

// Bytes that are not an instruction (data between functions) are skipped one by one.
void add_of_code(const Section& section, const Decoder& decoder, std::vector<std::uint64_t>& places) {
  std::size_t at = 0;
  while (at < section.content.size()) {
    const auto instruction = decoder.decode(section.content.subspan(at), section.address + at);
    if (!instruction) {
      ++at;
      continue;
    }
    if (instruction->memory) places.push_back(*instruction->memory);
    at += instruction->bytes;
  }
}

}  // namespace

References::References(const ElfImage& image, const Decoder& decoder) : image_(image) {
  for (const Section& section : image.sections())
    if (section.executable) add_of_code(section, decoder, places_);
  for (const auto& [address, relocation] : image.relocations())
    if (relocation.symbol.empty()) places_.push_back(relocation.addend);
  for (const Symbol& symbol : image.symbols()) {
    places_.push_back(symbol.address);
    places_.push_back(symbol.address + symbol.bytes);
  }
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

std::uint64_t References::next(std::uint64_t address) const {
  const Section* const section = image_.section_at(address);
  const std::uint64_t end = section == nullptr ? address : section->address + section->bytes;
  const auto after = std::upper_bound(places_.begin(), places_.end(), address);
  return after == places_.end() ? end : std::min(end, *after);
}

}  // namespace torchgate::code
