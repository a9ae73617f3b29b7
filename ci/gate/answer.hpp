// SPDX-License-Identifier: Apache-2.0
// From the policy to a rule's options, and from a rule's answer to a decision.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// What the policy says of alpha, margins and the machine's spread. family and last_pair are the caller's.
stats::RuleOptions rule_options(const policy::Gate& policy);

/// One of each per case and metric, in step.
struct SuiteNumbers {
  std::vector<stats::CaseNumbers> numbers;
  std::vector<double> run_sd;
  std::vector<const policy::CaseSettings*> policies;
};

/// What the policy's rule says of each, in order. A rule looks at all cases together (variance and false discoveries are
/// shared), with one margin: it judges the suite once for each pair of margin and equivalence in force, and each case gets
/// the answer under its own.
std::vector<stats::RuleAnswer> judge_suite(const SuiteNumbers& suite, const policy::Gate& policy);

/// False for --rule exact: only counts are looked at.
bool judges_time(const policy::Gate& policy);
reports::Verdict verdict_of(stats::Call call);

/// Makes the answer the decision. The change that was known before stays where the answer has none; reasons are added.
void decide(Judged& judged, const stats::RuleAnswer& answer);

/// Decides what was 0 in every process of both sides: equal.
void settle_equal(Judged& judged);

/// About how many more pairs, or processes per side, an answer takes: at least as many pairs as bring the case to its first look that can alarm.
std::optional<std::int64_t> processes_needed(const stats::RuleAnswer& answer);

/// One reason for each of the rule's.
void add_rule_reasons(Judged& judged, ReasonKind kind, const stats::Reasons& reasons);

}  // namespace torchgate::gate
