// SPDX-License-Identifier: Apache-2.0
// --budget: how long, or how many pairs, `ab` may take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// At least one of the two is set. The time to build commits is not counted.
struct Budget {
  std::optional<double> seconds;
  std::optional<std::int64_t> pairs;  ///< of all groups together
};

/// "90s", "5m", "1h30m", "24 pairs", "24" (pairs). bad_input for anything else, and for nothing at all.
base::Result<Budget> parse_budget(const std::string& text);

}  // namespace torchgate::workflow
