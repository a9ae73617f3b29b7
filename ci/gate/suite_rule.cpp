// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/suite_rule.hpp"

#include <map>
#include <utility>

#include "ci/gate/answer.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {

std::vector<stats::RuleAnswer> judge_suite(const SuiteNumbers& suite, const policy::Gate& policy) {
  const stats::Rule& rule = *stats::find_rule(policy.rule);  // a policy takes only names of the table
  std::map<std::pair<double, double>, std::vector<std::size_t>> by_margins;
  for (std::size_t i = 0; i < suite.policies.size(); ++i)
    by_margins[{suite.policies[i]->margin, suite.policies[i]->equivalence}].push_back(i);
  std::vector<stats::RuleAnswer> answers(suite.numbers.size());
  for (const auto& [margins, cases] : by_margins) {
    stats::RuleOptions options = rule_options(policy);
    options.margin = margins.first;
    options.equivalence = margins.second;
    options.run_sd_of_case = suite.run_sd;
    const auto all = rule.judge(suite.numbers, options);
    for (const std::size_t i : cases) answers[i] = all[i];
  }
  return answers;
}

}  // namespace torchgate::gate
