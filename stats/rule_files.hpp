// SPDX-License-Identifier: Apache-2.0
// Private to stats: one function per rule_<name>.cpp, for the table in rules.cpp.
#pragma once

#include "stats/rule.hpp"
#include "stats/screen.hpp"

namespace torchgate::stats {

std::vector<RuleAnswer> rule_default(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> rule_textbook(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> rule_welch(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> rule_history(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> rule_paired(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> rule_exact(std::span<const CaseNumbers> suite, const RuleOptions& options);

/// rule_welch and rule_history before anything is taken off their list of candidates.
std::vector<RuleAnswer> welch_answers(std::span<const CaseNumbers> suite, const RuleOptions& options);
std::vector<RuleAnswer> history_answers(std::span<const CaseNumbers> suite, const RuleOptions& options);

/// The options of a screen among those of a rule.
ScreenOptions screen_options(const RuleOptions& options);

/// What a screen says, as an answer: shared by rule_welch and rule_history.
RuleAnswer as_answer(const Screen& screen, const RuleOptions& options);

/// Takes the candidates that Benjamini-Hochberg at 5 % over the suite does not keep, or that are smaller than the
/// margin, off the list. Does nothing unless the options ask for it.
void keep_discoveries(std::span<RuleAnswer> answers, const RuleOptions& options);

}  // namespace torchgate::stats
