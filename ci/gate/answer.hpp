// SPDX-License-Identifier: Apache-2.0
// From the policy to a rule's options, and from a rule's answer to a finding.
#pragma once

#include "ci/policy/policy.hpp"
#include "reports/report.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// What the policy says of alpha, margins and the machine's spread. family and last_pair are the caller's.
stats::RuleOptions rule_options(const policy::Policy& policy);

/// False for --rule exact: only counts are looked at.
bool judges_time(const policy::Policy& policy);
inline constexpr const char* times_not_judged = "rule exact: only counted metrics were judged, times were not";

/// Makes the answer the finding's own: verdict, change, interval, p, d, smallest detectable change, reasons, effect.
/// Reasons are appended.
void apply_answer(reports::Finding& finding, const stats::RuleAnswer& answer, const policy::Policy& policy);

}  // namespace torchgate::gate
