// SPDX-License-Identifier: Apache-2.0
// Whether two addresses, one in each of two builds of a file, mean the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/code/decoder.hpp"
#include "harness/code/elf_image.hpp"
#include "harness/code/function_code.hpp"
#include "harness/code/place.hpp"
#include "harness/code/references.hpp"

namespace torchgate::code {

/// Names of variables that other files may use.
using ChangedVariables = std::set<std::string, std::less<>>;

class SamePlace {
 public:
  /// All outlive it. CHANGED_ELSEWHERE: variables of other files that begin with other values.
  SamePlace(const ElfImage& before, const ElfImage& after, const Decoder& decoder,
            const ChangedVariables& changed_elsewhere);

  /// The variables of this file that others may use and that begin with other values.
  ChangedVariables changed_variables();

  [[nodiscard]] bool same_thread_locals() const { return same_thread_locals_; }

  /// Variables that begin with other values and that nothing which was compared so far refers to: something reads them by an address
  /// outside of them (table[c - 'A']), or by one that is computed.
  std::vector<std::string> unattributed_variables();

  /// What CODE refers to accounts for itself: FUNCTION differs anyway.
  void attribute_all(const ElfImage& image, const FunctionCode& code);

  /// BYTES: how many are read there; 0: not known, all that may belong to it.
  bool are_same(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);

  /// Addresses in the instructions of FUNCTION_BEFORE and FUNCTION_AFTER themselves are the same where they are to instructions with the same
  /// number. Both outlive the comparison of their instructions.
  void enter(const Symbol& function_before, const FunctionCode& before, const Symbol& function_after,
             const FunctionCode& after);

 private:
  struct Side {
    const ElfImage& image;
    std::unique_ptr<References> references;
    const Symbol* function = nullptr;  ///< that is compared now
    const FunctionCode* code = nullptr;
    std::map<const Symbol*, std::optional<FunctionCode>> others;
  };
  struct Piece {
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::uint64_t bytes = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 reports the implicit 0 of a defaulted comparison
    auto operator<=>(const Piece&) const = default;
  };

  bool same_places(const Place& before, const Place& after, std::uint64_t bytes);
  bool same_behind(std::uint64_t before, std::uint64_t after);
  bool same_namesake(const Side& side, const Side& other, const Symbol& symbol);
  bool same_thread_local_data();
  bool same_import(std::string_view before, std::string_view after);
  bool same_variable_named(std::string_view name);
  void keep_assumptions(bool same);
  bool same_code(const Place& before, const Place& after);
  [[nodiscard]] bool same_symbol(const Symbol& before, const Symbol& after) const;
  bool same_variable(const Place& before, const Place& after);
  bool same_literal(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);
  bool same_data(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);
  bool same_bytes(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);
  bool same_relocations(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);
  bool same_offsets(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);
  [[nodiscard]] bool is_of_function(const Side& side, const Symbol& symbol) const;
  bool same_jump_table(std::uint64_t before, std::uint64_t after, std::uint64_t bytes);
  std::optional<std::size_t> index_in(Side& side, const Symbol& function, std::uint64_t address);
  const References& references(Side& side);

  Side before_;
  Side after_;
  const Decoder& decoder_;
  const ChangedVariables& changed_elsewhere_;
  bool same_thread_locals_ = true;
  std::set<std::string, std::less<>> attributed_;  // names of variables that something was found to refer to
  std::map<Piece, bool> known_;                    // of data that were compared
  std::set<Piece> assumed_;                        // of data that are being compared: equal until something differs
  int depth_ = 0;
};

}  // namespace torchgate::code
