// SPDX-License-Identifier: Apache-2.0
// Private to stats: what several rule_<name>.cpp share.
#pragma once

#include "stats/rule.hpp"
#include "stats/screen.hpp"

namespace torchgate::stats {

/// The answers of rule_welch and rule_history before keep_discoveries().
std::vector<RuleAnswer> welch_answers(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> history_answers(std::span<const CaseNumbers> suite, const RuleOptions& options);

/// The options of a screen among those of a rule.
ScreenOptions screen_options(const RuleOptions& options);

/// The result of a screen as the answer of a rule.
RuleAnswer as_answer(const Screen& screen, const RuleOptions& options);

/// Removes the candidates that Benjamini-Hochberg at 5 % over the suite does not keep, or that are smaller than the
/// margin. Does nothing unless options.false_discovery_rate is set.
void keep_discoveries(std::span<RuleAnswer> answers, const RuleOptions& options);

}  // namespace torchgate::stats
