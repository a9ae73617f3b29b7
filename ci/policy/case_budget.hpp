// SPDX-License-Identifier: Apache-2.0
// Absolute limits of a case: budget = { time = "100 ms", peak_bytes = "4 GB" } in a [[case]] table.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::policy {

/// What a metric of a case may be at most.
struct CaseBudget {
  double limit = 0;  ///< above 0, in `unit`
  std::string
      unit;  ///< "ns" or "bytes" for a text with a unit; empty for a plain number, which is in the metric's own unit
  std::string text;  ///< as it was written: "100 ms"

  bool operator==(const CaseBudget&) const = default;
};

/// "100 ms" (ns, us, ms, s, min), "4 GB" (B, kB, MB, GB, KiB, MiB, GiB). bad_input for anything else, and for a limit that is not above 0.
base::Result<CaseBudget> parse_case_budget(std::string_view text);

/// A number in the metric's own unit. bad_input if it is not above 0 and finite.
base::Result<CaseBudget> case_budget_of(double number);

}  // namespace torchgate::policy
