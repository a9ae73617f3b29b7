// SPDX-License-Identifier: Apache-2.0
// A rule over a whole suite whose cases may have margins of their own.
#pragma once

#include <vector>

#include "ci/policy/policy.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

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

}  // namespace torchgate::gate
