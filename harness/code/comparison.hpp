// SPDX-License-Identifier: Apache-2.0
// Two builds of an executable or a library, function by function: whether one is the same in both, wherever it lies.
//
// Same: the same instructions (padding left out) that refer to the same things, and the same handlers of exceptions. A reference is the
// same if it is to the same place of the same function, to the same function or variable by name, or to equal data. Data are equal if their
// bytes are, where addresses in them count by what they refer to, and tables of jumps by where they lead. What cannot be proven equal is
// called different.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/code/decoder.hpp"
#include "harness/code/elf_image.hpp"

namespace torchgate::code {

/// Variables that other files may use and that begin with other values after than before. What reads them there has other data, and its code
/// is the same.
std::set<std::string, std::less<>> changed_variables(const ElfImage& before, const ElfImage& after,
                                                     const Decoder& decoder);

struct FunctionDifference {
  std::string what;  ///< "6 of 40 instructions differ", "it exists after only"
  bool is_beyond_valgrind =
      false;  ///< it has instructions that Valgrind does not execute: it may run without having been seen
};

/// Of all of a file.
struct Changes {
  std::vector<std::string> functions;  ///< names of those that differ, sorted
  /// Variables that begin with other values, while no function that differs refers to them: which function reads them is not known.
  std::vector<std::string> unattributed_variables;
};

class Comparison {
 public:
  /// All three outlive it. CHANGED_ELSEWHERE: the changed variables of the other files that are used with this one.
  Comparison(const ElfImage& before, const ElfImage& after, const Decoder& decoder,
             std::set<std::string, std::less<>> changed_elsewhere);
  ~Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// What differs in the functions of this name. Absent: nothing. Of several with one name (static ones) all are compared, in the order of
  /// their files.
  [[nodiscard]] std::optional<FunctionDifference> difference(std::string_view function);

  [[nodiscard]] Changes changes();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace torchgate::code
