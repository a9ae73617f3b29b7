// SPDX-License-Identifier: Apache-2.0
// Which cases to measure, and how thoroughly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace torchgate::workflow {

/// Shared by run, compare, ab, gate, bisect and calibrate.
struct Effort {
  std::string filter = ".*";          ///< regular expression on case names, RE2 syntax
  std::string profile = "default";    ///< "quick": a fifth of the time, with less power; "full": with the longest cases
  std::optional<std::uint64_t> seed;  ///< of all random orders; absent: a random one
  std::optional<std::int64_t> warmup_calls = {};  ///< of each case and process; absent: as its suite has it
  std::optional<std::int64_t> samples = {};       ///< the same
  bool instructions = false;                      ///< count them beside the timing
  std::string counter = "any";                    ///< what counts: "any", "callgrind" or "hardware"
};

}  // namespace torchgate::workflow
