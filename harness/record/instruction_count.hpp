// SPDX-License-Identifier: Apache-2.0
// What is counted instead of timed: the instructions of a case, and which of the functions that it executes have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torchgate::record {

/// The metric of instructions per call.
inline constexpr const char* instructions_metric = "instructions";

/// Functions of a case that a record keeps, the largest first: those that can account for a change of 1 %.
inline constexpr std::size_t most_functions = 20;

/// One function in one object, per call of a case, without what it calls.
struct FunctionCount {
  std::string name;    ///< as its object names it (not demangled); without a symbol: an address, or "???"
  std::string object;  ///< file name; empty: in no file
  double instructions = 0;

  bool operator==(const FunctionCount&) const = default;
};

/// Instructions of a case per call, counted in processes of their own that timed nothing.
struct InstructionCount {
  std::string case_name;
  std::int64_t side = 0;
  std::string counter;  ///< "callgrind-3.19.0", "hardware": counts of different ones are not comparable
  std::string cpu_capability =
      {};  ///< for which LibTorch chose its kernels meanwhile ("AVX2; oneDNN AVX, MKL AVX"); empty: not known
  std::vector<double> per_call;        ///< one per process; empty: not known
  std::string unknown;                 ///< why; empty where it is known
  std::int64_t functions = 0;          ///< executed; 0: not known
  std::vector<FunctionCount> largest;  ///< of those, in the first process

  bool operator==(const InstructionCount&) const = default;
};

/// A function that a case executes and that is not the same on both sides.
struct ChangedFunction {
  std::string name;     ///< as its object names it
  std::string object;   ///< file name
  std::string what;     ///< "6 of 40 instructions differ", "executed after only"
  bool set_up = false;  ///< executed before the timed calls only

  bool operator==(const ChangedFunction&) const = default;
};

/// Whether both sides of a paired run execute the same code in a case: function by function, with addresses and padding left out.
struct CodeComparison {
  std::string case_name;
  std::int64_t functions = 0;            ///< that its calls execute, after
  std::int64_t set_up_functions = 0;     ///< and others that its set-up executes
  std::int64_t objects = 0;              ///< files that they are in
  std::vector<ChangedFunction> changed;  ///< the first of them
  std::int64_t changed_count = 0;        ///< all of them
  std::vector<ChangedFunction>
      unexecuted;                     ///< that changed and that no case's counted calls execute: the first of them
  std::int64_t unexecuted_count = 0;  ///< all of those
  std::string unknown;                ///< why it is not known; empty where it is
  double instructions_before = 0;
  double instructions_after = 0;

  /// All functions are the same (there are some), and as many instructions are executed.
  [[nodiscard]] bool identical() const { return unknown.empty() && changed_count == 0 && functions > 0 && objects > 0; }

  bool operator==(const CodeComparison&) const = default;
};

}  // namespace torchgate::record
