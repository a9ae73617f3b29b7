// SPDX-License-Identifier: Apache-2.0
// What the reader can do about a slow-down that is intended: accept it with a waiver, or, where `torchgate accept` refuses that, change the policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports {

/// After "If the slow-down is intended, ".
inline constexpr const char* how_to_accept =
    "accept it with `torchgate accept CASE --reason ...` and commit the waiver (of a pull request: to its target "
    "branch, then run the job again)";

/// Regressed or suspected, and `torchgate accept` takes it: it is not over its budget, and its change is a share, or that of a count.
bool can_be_accepted(const Finding& finding);

/// Findings of this VERDICT that no waiver covers yet, and that one could.
std::int64_t count_acceptable(const Report& report, Verdict verdict);

/// Of what regressed, how to accept it or, since a pin, to find its commit; of what fails and cannot be accepted, what to change instead.
std::vector<std::string> steps_for_slower(const Report& report);

}  // namespace torchgate::reports
