// SPDX-License-Identifier: Apache-2.0
// Which cases a user wants measured, and how thoroughly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace torchgate::workflow {

/// The same for run, compare, ab and calibrate.
struct Effort {
  std::string filter = ".*";          ///< regular expression on case names, RE2 syntax
  bool quick = false;                 ///< a fifth of the time, with less power
  std::optional<std::uint64_t> seed;  ///< of all random orders; absent: drawn
};

}  // namespace torchgate::workflow
