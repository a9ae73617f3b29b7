// SPDX-License-Identifier: Apache-2.0
// Whether exceptions go the same ways through a function in two builds of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/code/elf_image.hpp"
#include "harness/code/exception_tables.hpp"
#include "harness/code/function_code.hpp"
#include "harness/code/same_place.hpp"

namespace torchgate::code {

class SameExceptions {
 public:
  /// All outlive it.
  SameExceptions(const ElfImage& before, const ElfImage& after, SamePlace& places)
      : before_(before), after_(after), places_(places) {}

  /// What differs: "it catches other types". Empty: nothing. REQUIRES: PLACES has entered the two functions.
  std::string difference(const Symbol& function_before, const FunctionCode& before, const Symbol& function_after,
                         const FunctionCode& after);

 private:
  bool same_pointer(std::uint64_t before, bool before_indirect, std::uint64_t after, bool after_indirect);
  bool same_actions(const FunctionExceptions& before, const std::vector<Action>& was, const FunctionExceptions& after,
                    const std::vector<Action>& is);

  const ElfImage& before_;
  const ElfImage& after_;
  SamePlace& places_;
  std::optional<ExceptionTables> tables_before_;  // read when the first function is compared
  std::optional<ExceptionTables> tables_after_;
};

}  // namespace torchgate::code
