// SPDX-License-Identifier: Apache-2.0
#include "harness/code/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/demangled.hpp"
#include "harness/code/function_code.hpp"
#include "harness/code/same_exceptions.hpp"
#include "harness/code/same_place.hpp"

namespace torchgate::code {
namespace {

/// Of the C runtime's start files, which every link takes as they are installed. They refer to the ends of sections, and run before and after
/// all else.
constexpr std::array<std::string_view, 7> start_files{
    "_init", "_fini", "_start", "deregister_tm_clones", "register_tm_clones", "__do_global_dtors_aux", "frame_dummy"};

}  // namespace

class Comparison::Worker {
 public:
  Worker(const ElfImage& before, const ElfImage& after, const Decoder& decoder, ChangedVariables changed_elsewhere)
      : before_(before),
        after_(after),
        decoder_(decoder),
        changed_elsewhere_(std::move(changed_elsewhere)),
        places_(before, after, decoder, changed_elsewhere_),
        exceptions_(before, after, places_) {}

  const std::optional<FunctionDifference>& difference(std::string_view name) {
    const std::string key(name);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_.emplace(key, compare_all(name)).first->second;
  }

  std::vector<std::string> unattributed_variables() { return places_.unattributed_variables(); }

  std::vector<std::string_view> names() const {
    std::unordered_set<std::string_view> names;  // 100,000 long ones with the same beginnings: sorted at the end
    for (const ElfImage* image : {&before_, &after_})
      for (const Symbol& symbol : image->symbols())
        if (symbol.kind == SymbolKind::function && !symbol.name.empty()) names.insert(symbol.name);
    return {names.begin(), names.end()};
  }

 private:
  static FunctionDifference differs(std::string what, bool beyond_valgrind = false) {
    return {std::move(what), beyond_valgrind};
  }

  std::optional<FunctionDifference> compare_all(std::string_view name) {
    if (std::ranges::find(start_files, name) != start_files.end()) return std::nullopt;
    const auto before = before_.functions_named(name);
    const auto after = after_.functions_named(name);
    if (before.empty() && after.empty()) return differs("no symbol has this name");
    if (before.size() != after.size()) {
      attribute_all(before_, before);
      attribute_all(after_, after);
      if (before.empty()) return differs("it exists after only", any_beyond(after_, after));
      if (after.empty()) return differs("it exists before only", any_beyond(before_, before));
      return differs(fmt::format("there are {} of this name before and {} after", before.size(), after.size()),
                     any_beyond(before_, before) || any_beyond(after_, after));
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      if (auto found = compare(*before[i], *after[i])) return found;
    return std::nullopt;
  }

  static bool is_beyond(const FunctionCode& code) {
    return std::ranges::any_of(code.instructions(),
                               [](const auto& each) { return each.instruction.is_beyond_valgrind; });
  }

  void attribute_all(const ElfImage& image, const std::vector<const Symbol*>& functions) {
    for (const Symbol* const function : functions)
      if (const auto code = FunctionCode::read(image, *function, decoder_)) places_.attribute_all(image, *code);
  }

  bool any_beyond(const ElfImage& image, const std::vector<const Symbol*>& functions) const {
    return std::ranges::any_of(functions, [&](const Symbol* function) {
      const auto code = FunctionCode::read(image, *function, decoder_);
      return code && is_beyond(*code);
    });
  }

  std::optional<FunctionDifference> compare(const Symbol& before, const Symbol& after) {
    const auto code_before = FunctionCode::read(before_, before, decoder_);
    const auto code_after = FunctionCode::read(after_, after, decoder_);
    if (!code_before || !code_after) return differs("it has bytes that are not known as instructions");
    const auto& was = code_before->instructions();
    const auto& is = code_after->instructions();
    const bool beyond = is_beyond(*code_before) || is_beyond(*code_after);
    if (was.size() != is.size()) {
      attribute_all(*code_before, *code_after);
      return differs(
          fmt::format("{} before, {} after", base::counted(was.size(), "instruction", "instructions"), is.size()),
          beyond);
    }
    places_.enter(before, *code_before, after, *code_after);
    std::size_t other_instructions = 0;
    std::string other_place;
    for (std::size_t i = 0; i < was.size(); ++i) {
      if (!same_instruction(was[i], is[i])) {
        ++other_instructions;
      } else if (std::string place = compare_places(was[i], is[i]); other_place.empty()) {
        other_place = std::move(place);
      }
    }
    if (other_instructions > 0) {
      attribute_all(*code_before, *code_after);
      return differs(fmt::format("{} of {} instructions differ", other_instructions, was.size()), beyond);
    }
    if (!other_place.empty()) return differs(other_place, beyond);
    std::string other_handlers = exceptions_.difference(before, *code_before, after, *code_after);
    if (!other_handlers.empty()) return differs(std::move(other_handlers), beyond);
    return std::nullopt;
  }

  void attribute_all(const FunctionCode& before, const FunctionCode& after) {
    places_.attribute_all(before_, before);
    places_.attribute_all(after_, after);
  }

  // Apart from the places that it refers to. A jump may have another length, which depends on its distance.
  static bool same_instruction(const PlacedInstruction& before, const PlacedInstruction& after) {
    const Instruction& was = before.instruction;
    const Instruction& is = after.instruction;
    if (was.mnemonic != is.mnemonic || was.branch.has_value() != is.branch.has_value() ||
        was.memory.has_value() != is.memory.has_value())
      return false;
    if (was.branch) return true;
    if (was.bytes != is.bytes) return false;
    if (!was.memory) return std::ranges::equal(before.bytes, after.bytes);
    return same_outside(before, after, was.displacement, is.displacement);
  }

  static bool same_outside(const PlacedInstruction& before, const PlacedInstruction& after, const Field& was,
                           const Field& is) {
    if (was.offset != is.offset || was.bytes != is.bytes) return false;
    for (std::size_t i = 0; i < before.bytes.size(); ++i) {
      const bool in_field = i >= was.offset && i < std::size_t{was.offset} + was.bytes;
      if (!in_field && before.bytes[i] != after.bytes[i]) return false;
    }
    return true;
  }

  static bool is_relocated(const ElfImage& image, const PlacedInstruction& placed) {
    return !image.relocated(placed.address, placed.address + placed.bytes.size()).empty();
  }

  // The address of a slot is that of all others for code that is not limited to 2 GiB (-mcmodel=large).
  bool takes_address_of_slots(const ElfImage& image, const Instruction& instruction) const {
    if (!instruction.memory || instruction.memory_bytes > 0 || instruction.indirect_jump) return false;
    const Section* const section = image.section_at(*instruction.memory);
    return section != nullptr && section->name.starts_with(".got") &&
           place_at(image, decoder_, *instruction.memory).kind != PlaceKind::thread_local_variable;
  }

  // Empty: the same.
  std::string compare_places(const PlacedInstruction& before, const PlacedInstruction& after) {
    const Instruction& was = before.instruction;
    const Instruction& is = after.instruction;
    if (is_relocated(before_, before) || is_relocated(after_, after))
      return "the dynamic linker writes into its instructions";
    if (takes_address_of_slots(before_, was) || takes_address_of_slots(after_, is))
      return "it computes addresses from that of the slots (-mcmodel=large)";
    if (was.thread_local_access && !places_.same_thread_locals())
      return "thread-local variables begin with other values";
    if (was.branch) return compare_place(*was.branch, *is.branch, 0);
    if (was.memory) return compare_place(*was.memory, *is.memory, std::min(was.memory_bytes, is.memory_bytes));
    return "";
  }

  std::string compare_place(std::uint64_t before, std::uint64_t after, std::uint64_t bytes) {
    if (places_.are_same(before, after, bytes)) return "";
    const std::string was = base::demangled(std::string(name_of(place_at(before_, decoder_, before))));
    const std::string is = base::demangled(std::string(name_of(place_at(after_, decoder_, after))));
    if (was == is) return "it refers to " + was + ", which differs";
    return fmt::format("it refers to {} instead of {}", is, was);
  }

  const ElfImage& before_;
  const ElfImage& after_;
  const Decoder& decoder_;
  const ChangedVariables changed_elsewhere_;
  SamePlace places_;
  SameExceptions exceptions_;
  std::unordered_map<std::string, std::optional<FunctionDifference>> known_;
};

Comparison::Comparison(const ElfImage& before, const ElfImage& after, const Decoder& decoder,
                       std::set<std::string, std::less<>> changed_elsewhere)
    : worker_(std::make_unique<Worker>(before, after, decoder, std::move(changed_elsewhere))) {}

std::set<std::string, std::less<>> changed_variables(const ElfImage& before, const ElfImage& after,
                                                     const Decoder& decoder) {
  const ChangedVariables none;
  return SamePlace(before, after, decoder, none).changed_variables();
}

Comparison::~Comparison() = default;

std::optional<FunctionDifference> Comparison::difference(std::string_view function) {
  return worker_->difference(function);
}

Changes Comparison::changes() {
  Changes changes;
  for (const std::string_view name : worker_->names())
    if (worker_->difference(name)) changes.functions.emplace_back(name);
  std::sort(changes.functions.begin(), changes.functions.end());
  changes.unattributed_variables = worker_->unattributed_variables();
  return changes;
}

}  // namespace torchgate::code
