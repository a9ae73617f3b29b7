// SPDX-License-Identifier: Apache-2.0
// From the policy to a rule's options, and from a rule's answer to a decision.
#pragma once

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// What the policy says of alpha, margins and the machine's spread. family and last_pair are the caller's.
stats::RuleOptions rule_options(const policy::Gate& policy);

/// False for --rule exact: only counts are looked at.
bool judges_time(const policy::Gate& policy);
reports::Verdict verdict_of(stats::Call call);

/// Makes the answer the decision. The change that was known before stays where the answer has none; reasons are added.
void decide(Judged& judged, const stats::RuleAnswer& answer);

/// One reason for each of the rule's.
void add_rule_reasons(Judged& judged, ReasonKind kind, const stats::Reasons& reasons);

}  // namespace torchgate::gate
