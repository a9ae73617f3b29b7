// SPDX-License-Identifier: Apache-2.0
// What Callgrind wrote at one point of a process: the instructions of each function since the point before.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::launch {

/// A function, as its object names it (not demangled). Without a symbol the name is an address or "???".
struct FunctionName {
  std::string object;  ///< path; empty: in no file (made while it ran)
  std::string name;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 reports the implicit 0 of a defaulted comparison
  auto operator<=>(const FunctionName&) const = default;
};

struct CallgrindPart {
  std::string trigger;  ///< why it was written: "Client Request: calls a/b/c", "Program termination"
  std::uint64_t total = 0;
  std::map<FunctionName, std::uint64_t> functions;  ///< in them, without those they called
};

/// TEXT in the format of Callgrind (Valgrind's manual, "Callgrind Format Specification"), with instructions as its first event. bad_input
/// names WHERE and the line.
base::Result<CallgrindPart> read_callgrind(std::string_view text, const std::string& where);

}  // namespace torchgate::launch
