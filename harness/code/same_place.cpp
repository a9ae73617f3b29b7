// SPDX-License-Identifier: Apache-2.0
#include "harness/code/same_place.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

namespace torchgate::code {
namespace {

constexpr std::size_t pointer_bytes = 8;
constexpr std::size_t jump_bytes = 4;
/// Between literals there is less.
constexpr std::uint64_t most_padding = 63;
/// Data that refer to data that refer to data: what lies deeper is called different.
constexpr int deepest = 200;
constexpr std::uint64_t largest_element = 16;
/// Functions that are kept, because others jump into them.
constexpr std::size_t most_others = 64;

bool all_zero(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

std::span<const std::uint8_t> some(std::span<const std::uint8_t> content, std::uint64_t from, std::uint64_t bytes) {
  if (from >= content.size()) return {};
  return content.subspan(from, std::min<std::uint64_t>(bytes, content.size() - from));
}

std::uint64_t first_zero(std::span<const std::uint8_t> content, std::uint64_t from) {
  const auto rest = some(content, from, content.size());
  return from + static_cast<std::uint64_t>(std::find(rest.begin(), rest.end(), 0) - rest.begin());
}

}  // namespace

SamePlace::SamePlace(const ElfImage& before, const ElfImage& after, const Decoder& decoder,
                     const ChangedVariables& changed_elsewhere)
    : before_{before, nullptr, nullptr, nullptr, {}},
      after_{after, nullptr, nullptr, nullptr, {}},
      decoder_(decoder),
      changed_elsewhere_(changed_elsewhere),
      same_thread_locals_(std::ranges::equal(before.thread_local_content(), after.thread_local_content())) {}

ChangedVariables SamePlace::changed_variables() {
  ChangedVariables changed;
  for (const ElfImage* const image : {&before_.image, &after_.image}) {
    for (const Symbol& symbol : image->symbols())
      if (symbol.kind == SymbolKind::object && symbol.file.empty() && !same_variable_named(symbol.name))
        changed.emplace(symbol.name);
    if (same_thread_locals_) continue;
    for (const std::string_view name : image->thread_local_names()) changed.emplace(name);
  }
  return changed;
}

bool SamePlace::same_variable_named(std::string_view name) {
  const bool same = same_import(name, name);
  keep_assumptions(same);
  return same;
}

void SamePlace::keep_assumptions(bool same) {
  if (same)
    for (const Piece& piece : assumed_) known_[piece] = true;
  assumed_.clear();
}

void SamePlace::enter(const Symbol& function_before, const FunctionCode& before, const Symbol& function_after,
                      const FunctionCode& after) {
  before_.function = &function_before;
  before_.code = &before;
  after_.function = &function_after;
  after_.code = &after;
}

// What was found equal was so on the assumption that all that refers to each other is.
bool SamePlace::are_same(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const bool same =
      same_places(place_at(before_.image, decoder_, before), place_at(after_.image, decoder_, after), bytes) &&
      (bytes > 0 || same_behind(before, after));
  keep_assumptions(same);
  return same;
}

// The table of table[i - 1] is referred to by an address before it, which is that of other data.
bool SamePlace::same_behind(std::uint64_t before, std::uint64_t after) {
  const auto variable_behind = [](const ElfImage& image, std::uint64_t address) -> const Symbol* {
    const Symbol* const own = image.symbol_at(address);
    // A table of virtual functions is referred to in its middle, and not from before it.
    if (own != nullptr && (own->kind != SymbolKind::object || own->address == address || own->name.starts_with("_ZTV")))
      return nullptr;
    const Symbol* const next = image.symbol_after(address);
    return next != nullptr && next->kind == SymbolKind::object && next->address - address <= largest_element ? next
                                                                                                             : nullptr;
  };
  const Symbol* const was = variable_behind(before_.image, before);
  const Symbol* const is = variable_behind(after_.image, after);
  if (was == nullptr || is == nullptr) return was == is;
  return same_places(place_at(before_.image, decoder_, was->address), place_at(after_.image, decoder_, is->address), 0);
}

bool SamePlace::same_places(const Place& before, const Place& after, std::uint64_t bytes) {
  if (before.kind != after.kind || before.through_slot != after.through_slot) return false;
  // A slot is read for the address in it, whatever lies there.
  if (before.through_slot) bytes = 0;
  switch (before.kind) {
    case PlaceKind::code:
      return same_code(before, after);
    case PlaceKind::import:
      return before.offset == after.offset && same_import(before.import, after.import);
    case PlaceKind::thread_local_variable:
      return before.import == after.import && before.offset == after.offset && before.type == after.type &&
             same_thread_locals_ && !changed_elsewhere_.contains(before.import);
    case PlaceKind::named_data:
      return same_variable(before, after);
    case PlaceKind::data:
      return same_literal(before.address, after.address, bytes);
    case PlaceKind::unknown:
      return false;
  }
  return false;
}

bool SamePlace::same_symbol(const Symbol& before, const Symbol& after) const {
  return before.name == after.name && before.kind == after.kind &&
         before_.image.rank_of(before) == after_.image.rank_of(after);
}

// A variable that other files may use, too, is found by name, also by the file that has it.
bool SamePlace::same_import(std::string_view before, std::string_view after) {
  if (before != after || changed_elsewhere_.contains(before)) return false;
  const auto was = before_.image.variables_named(before);
  const auto is = after_.image.variables_named(after);
  if (was.empty() || is.empty()) return was.empty() == is.empty();
  return same_places(place_at(before_.image, decoder_, was.front()->address),
                     place_at(after_.image, decoder_, is.front()->address), 0);
}

bool SamePlace::same_code(const Place& before, const Place& after) {
  const bool here = before_.function != nullptr && before.symbol->address == before_.function->address;
  if (here != (after_.function != nullptr && after.symbol->address == after_.function->address)) return false;
  if (!here && !same_symbol(*before.symbol, *after.symbol)) return false;
  if (before.offset == 0 && after.offset == 0) return true;
  const auto index_before = index_in(before_, *before.symbol, before.symbol->address + before.offset);
  const auto index_after = index_in(after_, *after.symbol, after.symbol->address + after.offset);
  return index_before && index_before == index_after;
}

std::optional<std::size_t> SamePlace::index_in(Side& side, const Symbol& function, std::uint64_t address) {
  if (side.function != nullptr && function.address == side.function->address) return side.code->index_of(address);
  auto found = side.others.find(&function);
  if (found == side.others.end()) {
    if (side.others.size() >= most_others) side.others.clear();
    found = side.others.emplace(&function, FunctionCode::read(side.image, function, decoder_)).first;
  }
  if (!found->second) return std::nullopt;
  return found->second->index_of(address);
}

bool SamePlace::same_variable(const Place& before, const Place& after) {
  return before.offset == after.offset && same_symbol(*before.symbol, *after.symbol) &&
         before.symbol->bytes == after.symbol->bytes &&
         same_data(before.symbol->address, after.symbol->address, before.symbol->bytes);
}

// Decoding all of a file takes seconds for a large one, so both are at once.
const References& SamePlace::references(Side& side) {
  if (side.references == nullptr) {
    std::thread other([this] { before_.references = std::make_unique<References>(before_.image, decoder_); });
    after_.references = std::make_unique<References>(after_.image, decoder_);
    other.join();
  }
  return *side.references;
}

// Where it ends is not written anywhere: at the next place that something refers to, or in zeros that align that one.
bool SamePlace::same_literal(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  if (bytes > 0) return same_data(before, after, bytes);
  const std::uint64_t to_next_before = references(before_).next(before) - before;
  const std::uint64_t to_next_after = references(after_).next(after) - after;
  std::uint64_t length = std::min(to_next_before, to_next_after);
  const std::uint64_t longer = std::max(to_next_before, to_next_after);
  const auto content_before = before_.image.content_at(before);
  const auto content_after = after_.image.content_at(after);
  if (longer - length > most_padding || !all_zero(some(content_before, length, to_next_before - length)) ||
      !all_zero(some(content_after, length, to_next_after - length)))
    return false;
  if (same_jump_table(before, after, length)) return true;
  // A string whose end is a string of its own goes on behind the place that something refers to.
  if (first_zero(content_before, 0) >= length) length = first_zero(content_before, length);
  return same_data(before, after, length);
}

bool SamePlace::same_data(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const Piece piece{before, after, bytes};
  if (const auto known = known_.find(piece); known != known_.end()) return known->second;
  if (!assumed_.insert(piece).second) return true;
  if (++depth_ > deepest) {
    --depth_;
    return false;
  }
  const bool same = same_bytes(before, after, bytes);
  --depth_;
  if (!same) known_[piece] = false;
  return same;
}

bool SamePlace::same_bytes(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const auto content_before = some(before_.image.content_at(before), 0, bytes);
  const auto content_after = some(after_.image.content_at(after), 0, bytes);
  if (content_before.size() != content_after.size()) return false;
  if (content_before.size() < bytes && !content_before.empty()) return false;
  std::uint64_t at = 0;
  while (at < bytes) {
    const Relocation* const was = before_.image.relocation_at(before + at);
    const Relocation* const is = after_.image.relocation_at(after + at);
    if ((was == nullptr) != (is == nullptr)) return false;
    if (was != nullptr) {
      if (was->type != is->type ||
          !same_places(place_of(before_.image, decoder_, *was), place_of(after_.image, decoder_, *is), 0))
        return false;
      at += pointer_bytes;
      continue;
    }
    if (content_before.empty() && before_.image.relocations().empty() && after_.image.relocations().empty()) break;
    if (!content_before.empty() && content_before[at] != content_after[at]) return false;
    ++at;
  }
  return true;
}

// Of a switch: distances from the table to the code of its function.
bool SamePlace::same_jump_table(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const auto content_before = before_.image.content_at(before);
  const auto content_after = after_.image.content_at(after);
  std::uint64_t at = 0;
  for (;
       at + jump_bytes <= bytes && at + jump_bytes <= content_before.size() && at + jump_bytes <= content_after.size();
       at += jump_bytes) {
    std::int32_t distance_before = 0;
    std::int32_t distance_after = 0;
    std::memcpy(&distance_before, content_before.data() + at, jump_bytes);
    std::memcpy(&distance_after, content_after.data() + at, jump_bytes);
    const Place to_before = place_at(before_.image, decoder_, before + static_cast<std::uint64_t>(distance_before));
    const Place to_after = place_at(after_.image, decoder_, after + static_cast<std::uint64_t>(distance_after));
    if (to_before.kind != PlaceKind::code || to_after.kind != PlaceKind::code || !same_code(to_before, to_after)) break;
  }
  return at > 0 && bytes - at <= most_padding && all_zero(some(content_before, at, bytes - at)) &&
         all_zero(some(content_after, at, bytes - at));
}

}  // namespace torchgate::code
