// SPDX-License-Identifier: Apache-2.0
#include "harness/code/same_place.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "harness/code/data_content.hpp"

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

}  // namespace

SamePlace::SamePlace(const ElfImage& before, const ElfImage& after, const Decoder& decoder,
                     const ChangedVariables& changed_elsewhere)
    : before_{before, nullptr, nullptr, nullptr, {}},
      after_{after, nullptr, nullptr, nullptr, {}},
      decoder_(decoder),
      changed_elsewhere_(changed_elsewhere) {
  same_thread_locals_ = same_thread_local_data();
  keep_assumptions(same_thread_locals_);
}

bool SamePlace::same_thread_local_data() {
  const auto& before = before_.image.thread_local_sections();
  const auto& after = after_.image.thread_local_sections();
  if (before.size() != after.size()) return false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const SectionPair pair{before[i], after[i]};
    if (before[i].bytes != after[i].bytes || !same_relocations(before[i].address, after[i].address, before[i].bytes) ||
        !pair.same_outside_relocations(before_.image))
      return false;
  }
  return true;
}

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
  if (before == 0 && after == 0) return true;  // a weak symbol that nothing defines
  const bool same =
      same_places(place_at(before_.image, decoder_, before), place_at(after_.image, decoder_, after), bytes) &&
      (bytes > 0 || same_behind(before, after));
  keep_assumptions(same);
  return same;
}

// The table of table[i - 1] is referred to by an address before it, which is that of other data, and its end by that of what comes next.
// A table that is further away is left to unattributed_variables().
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
  // What lies there may be another variable now; what counts is whether the one that was meant has changed.
  const Symbol* const was = variable_behind(before_.image, before);
  const Symbol* const is = variable_behind(after_.image, after);
  const Symbol* const ended = variable_that_ends_at(before_.image, before);
  const Symbol* const ends = variable_that_ends_at(after_.image, after);
  const auto same = [&](const Symbol* symbol, const Side& side, const Side& other) {
    return symbol == nullptr || same_namesake(side, other, *symbol);
  };
  return same(was, before_, after_) && same(is, after_, before_) && same(ended, before_, after_) &&
         same(ends, after_, before_);
}

// Whether the variable of that name on the OTHER side begins with the same values; a missing one has none to compare.
bool SamePlace::same_namesake(const Side& side, const Side& other, const Symbol& symbol) {
  for (const Symbol* const each : other.image.variables_named(symbol.name)) {
    if (each->file != symbol.file || other.image.rank_of(*each) != side.image.rank_of(symbol)) continue;
    const bool is_before = &side == &before_;
    const Symbol& was = is_before ? symbol : *each;
    const Symbol& is = is_before ? *each : symbol;
    return same_places(place_at(before_.image, decoder_, was.address), place_at(after_.image, decoder_, is.address), 0);
  }
  return true;
}

std::vector<std::string> SamePlace::unattributed_variables() {
  const auto attributed = attributed_;  // comparing them here adds names
  std::vector<std::string> names;
  for (const Symbol& symbol : before_.image.symbols()) {
    // The linker's own marks have no size.
    if (symbol.kind != SymbolKind::object || symbol.bytes == 0 || symbol.name.empty() || is_numbered(symbol.name) ||
        attributed.contains(symbol.name))
      continue;
    const bool same = same_namesake(before_, after_, symbol);
    keep_assumptions(same);
    if (!same) names.emplace_back(symbol.name);
  }
  return names;
}

void SamePlace::attribute_all(const ElfImage& image, const FunctionCode& code) {
  for (const PlacedInstruction& each : code.instructions()) {
    if (!each.instruction.memory) continue;
    const Place place = place_at(image, decoder_, *each.instruction.memory);
    if (place.kind == PlaceKind::named_data || place.kind == PlaceKind::import) attributed_.emplace(name_of(place));
  }
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
  // A source file may have been renamed. Of those that other files may use a file has one of a name.
  return before.name == after.name && before.kind == after.kind && before.file.empty() == after.file.empty() &&
         before_.image.rank_of(before) == after_.image.rank_of(after);
}

// A variable that other files may use, too, is found by name, also by the file that has it.
bool SamePlace::same_import(std::string_view before, std::string_view after) {
  if (before != after || changed_elsewhere_.contains(before)) return false;
  if (before.empty()) return true;
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
  const Symbol& was = *before.symbol;
  const Symbol& is = *after.symbol;
  const bool same_names = is_numbered(was.name) ? is_numbered(is.name) : same_symbol(was, is);
  const bool same =
      before.offset == after.offset && same_names && was.bytes == is.bytes &&
      (was.bytes > 0 ? same_data(was.address, is.address, was.bytes) : same_literal(was.address, is.address, 0));
  if (!same) {
    attributed_.emplace(was.name);
    attributed_.emplace(is.name);
  }
  return same;
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
  if (longer - length > most_padding || !is_empty(before_.image, before + length, before + to_next_before) ||
      !is_empty(after_.image, after + length, after + to_next_after))
    return false;
  if (same_jump_table(before, after, length)) return true;
  return same_data(before, after, end_of_string(before_.image.content_at(before), length));
}

// Of a table of 32-bit distances to data, as Clang makes one of a switch over strings.
bool SamePlace::same_offsets(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const auto was = offsets_to_strings(before_.image, before, bytes);
  const auto is = offsets_to_strings(after_.image, after, bytes);
  if (was.empty() || is.empty()) return was.size() == is.size() && same_bytes(before, after, bytes);
  if (was.size() != is.size()) return false;
  for (std::size_t i = 0; i < was.size(); ++i)
    if (!same_places(place_at(before_.image, decoder_, was[i]), place_at(after_.image, decoder_, is[i]), 0))
      return false;
  return true;
}

bool SamePlace::same_data(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const Piece piece{before, after, bytes};
  if (const auto known = known_.find(piece); known != known_.end()) return known->second;
  if (!assumed_.insert(piece).second) return true;
  if (++depth_ > deepest) {
    --depth_;
    return false;
  }
  const bool same = same_offsets(before, after, bytes);
  --depth_;
  if (!same) known_[piece] = false;
  return same;
}

bool SamePlace::same_bytes(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  const Section* const was = before_.image.section_at(before);
  const Section* const is = after_.image.section_at(after);
  if (was == nullptr || is == nullptr || was->content.empty() != is->content.empty()) return false;
  const std::uint64_t from = before - was->address;
  const std::uint64_t to = after - is->address;
  if (bytes > was->bytes - from || bytes > is->bytes - to) return false;
  const SectionPair pair{part(*was, from, bytes), part(*is, to, bytes)};
  return same_relocations(before, after, bytes) && pair.same_outside_relocations(before_.image);
}

// The dynamic linker writes the same at the same places.
bool SamePlace::same_relocations(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
  // One that begins earlier and reaches into the data is not taken apart.
  const auto reaches_into = [](const ElfImage& image, std::uint64_t address) {
    return !image.relocated(address - std::min<std::uint64_t>(address, pointer_bytes - 1), address).empty();
  };
  if (reaches_into(before_.image, before) || reaches_into(after_.image, after)) return false;
  const auto was = before_.image.relocated(before, before + bytes);
  const auto is = after_.image.relocated(after, after + bytes);
  if (was.size() != is.size()) return false;
  for (std::size_t i = 0; i < was.size(); ++i) {
    const Relocation& one = *before_.image.relocation_at(was[i]);
    const Relocation& other = *after_.image.relocation_at(is[i]);
    if (was[i] - before != is[i] - after || one.type != other.type ||
        !same_places(place_of(before_.image, decoder_, one), place_of(after_.image, decoder_, other), 0))
      return false;
  }
  return true;
}

// Or the part of it that the compiler found to be executed rarely.
bool SamePlace::is_of_function(const Side& side, const Symbol& symbol) const {
  if (side.function == nullptr) return false;
  return symbol.address == side.function->address ||
         (symbol.name.starts_with(side.function->name) && symbol.name.substr(side.function->name.size()) == ".cold");
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
    if (to_before.kind != PlaceKind::code || to_after.kind != PlaceKind::code ||
        !is_of_function(before_, *to_before.symbol) || !is_of_function(after_, *to_after.symbol) ||
        !same_code(to_before, to_after))
      break;
  }
  return at > 0 && bytes - at <= most_padding && is_empty(before_.image, before + at, before + bytes) &&
         is_empty(after_.image, after + at, after + bytes);
}

}  // namespace torchgate::code
