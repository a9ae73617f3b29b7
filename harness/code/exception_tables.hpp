// SPDX-License-Identifier: Apache-2.0
// Where an exception goes that passes through a function: from which of its instructions to which code, for which types.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/code/elf_image.hpp"

namespace torchgate::code {

enum class ActionKind : std::uint8_t {
  clean_up,  ///< destructors run, and unwinding continues
  catches,   ///< one type
  allows     ///< an exception specification: no other type passes
};

struct Action {
  ActionKind kind = ActionKind::clean_up;
  /// Addresses of type descriptions, or of pointers to them (FunctionExceptions::indirect_types); 0: any type.
  std::vector<std::uint64_t> types;
};

/// Some instructions next to each other, by address.
struct CallSite {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t landing_pad = 0;  ///< 0: the exception passes on
  std::vector<Action> actions;    ///< in the order in which they are tried
};

/// Of one function. An instruction that is in no call site ends the program if it throws.
struct FunctionExceptions {
  bool has_table = false;  ///< false: every exception passes on, and nothing else is set
  std::uint64_t personality = 0;
  bool indirect_personality = false;
  bool indirect_types = false;
  std::vector<CallSite> call_sites;
};

class ExceptionTables {
 public:
  /// Finds the tables of all functions of IMAGE, which outlives this.
  explicit ExceptionTables(const ElfImage& image);

  /// Of the function at ADDRESS. bad_input: its table, or where tables are, is damaged or in an encoding that is not known.
  [[nodiscard]] base::Result<FunctionExceptions> of(std::uint64_t address) const;

 private:
  struct Rules;  // what several functions have in common
  struct Entry {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t table = 0;
    std::uint64_t personality = 0;
    bool indirect_personality = false;
  };

  void read_frames(const Section& section);
  [[nodiscard]] bool read_call_sites(const Entry& entry, FunctionExceptions& exceptions) const;

  const ElfImage& image_;
  std::vector<Entry> entries_;  // of functions with a table, by address
  bool readable_ = true;
};

}  // namespace torchgate::code
