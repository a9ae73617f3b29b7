// SPDX-License-Identifier: Apache-2.0
// An executable or shared library as a file: its sections, symbols and relocations. 64-bit x86 only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::code {

struct Section {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool executable = false;
  bool writable = false;
  std::span<const std::uint8_t> content;  ///< empty: it has none in the file (.bss)
};

enum class SymbolKind : std::uint8_t { function, object };

struct Symbol {
  std::string_view name;
  /// The source file of a local symbol, and which of the files of that name: two may have a static function of one name.
  std::string_view file;
  std::uint32_t file_number = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  SymbolKind kind = SymbolKind::function;
};

/// What the dynamic linker writes at an address: a symbol's address, one in this file, or where a thread-local variable is.
struct Relocation {
  std::string_view symbol;  ///< empty: none
  std::uint64_t addend = 0;
  std::uint32_t type = 0;  ///< of elf.h: R_X86_64_...
  bool thread_local_variable = false;
};

class ElfImage {
 public:
  /// Reads FILE. io, not_found: it cannot be read; bad_input: not an ELF file of 64-bit x86, one whose parts lie outside of it, or one
  /// that is not position-independent: which numbers in it are addresses is not written anywhere.
  static base::Result<ElfImage> open(const std::filesystem::path& file);

  /// Sorted by address; of several at one address the one whose name is first comes first.
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  /// Without a symbol table (stripped), only what other files may use has names.
  [[nodiscard]] bool is_stripped() const { return stripped_; }

  [[nodiscard]] const Section* section_at(std::uint64_t address) const;
  /// From ADDRESS to the end of its section; empty: it has no content.
  [[nodiscard]] std::span<const std::uint8_t> content_at(std::uint64_t address) const;
  /// The symbol that ADDRESS lies in; nullptr: none.
  [[nodiscard]] const Symbol* symbol_at(std::uint64_t address) const;
  /// The first symbol that lies behind ADDRESS; nullptr: none.
  [[nodiscard]] const Symbol* symbol_after(std::uint64_t address) const;
  /// Functions of that name, by their source files and addresses.
  [[nodiscard]] std::vector<const Symbol*> functions_named(std::string_view name) const {
    return named(name, SymbolKind::function);
  }
  /// Variables of that name that other files may use, or the file's own, in the same order.
  [[nodiscard]] std::vector<const Symbol*> variables_named(std::string_view name) const {
    return named(name, SymbolKind::object);
  }
  /// Names of thread-local variables that other files may use.
  [[nodiscard]] const std::vector<std::string_view>& thread_local_names() const { return thread_local_names_; }
  /// Which of those with its name and kind in a source file of that name it is, in the same order.
  [[nodiscard]] std::size_t rank_of(const Symbol& symbol) const {
    return ranks_[static_cast<std::size_t>(&symbol - symbols_.data())];
  }
  /// Where a function without a size ends: at the next symbol, or with its section.
  [[nodiscard]] std::uint64_t end_of(const Symbol& symbol) const;
  [[nodiscard]] const Relocation* relocation_at(std::uint64_t address) const;
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const std::unordered_map<std::uint64_t, Relocation>& relocations() const { return relocations_; }
  /// The addresses of relocations from BEGIN to before END, sorted.
  [[nodiscard]] std::span<const std::uint64_t> relocated(std::uint64_t begin, std::uint64_t end) const;
  /// With what the thread-local variables of a new thread begin; sections without content are left out.
  [[nodiscard]] const std::vector<Section>& thread_local_sections() const { return thread_local_; }

 private:
  class Reader;
  [[nodiscard]] std::vector<const Symbol*> named(std::string_view name, SymbolKind kind) const;

  std::shared_ptr<const std::string> content_;
  std::vector<Section> sections_;  // with an address, by address
  std::vector<Symbol> symbols_;
  std::vector<std::uint32_t> ranks_;  // of symbols_: rank_of()
  std::vector<std::uint64_t> ends_;   // of symbols_: the largest end so far, so that one that encloses others is found
  std::unordered_multimap<std::string_view, std::size_t> names_;
  std::unordered_map<std::uint64_t, Relocation> relocations_;
  std::vector<std::uint64_t> relocated_;  // their addresses, sorted
  std::vector<Section> thread_local_;
  std::vector<std::string_view> thread_local_names_;
  bool stripped_ = false;
};

}  // namespace torchgate::code
