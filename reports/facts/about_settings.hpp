// SPDX-License-Identifier: Apache-2.0
// What the policy says of a case: its gate, its budgets, its waivers, how it was to be measured.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<Share> below_gate{"below_gate", "real, but below the gate of {gate:g} %"};
inline constexpr Sentence<Share> beyond_own_gate{"beyond_own_gate", "beyond its gate of {gate:g} %"};
inline constexpr Sentence<std::string> own_settings{"own_settings", "overridden by [[case]]: {settings}"};

inline constexpr Sentence<Share, std::string, Share, Count> margin_beyond_gate{
    "margin_beyond_gate",
    "gate.margin ({margin:g} %) is larger than {key} ({gate:g} %) for {cases:case|cases}: no slow-down below the "
    "margin fails"};
inline constexpr Sentence<Share, std::string, Share, Count> equivalence_beyond_gate{
    "equivalence_beyond_gate",
    "gate.equivalence ({equivalence:g} %) is larger than {key} ({gate:g} %) for {cases:case|cases}: \"equivalent\" "
    "does "
    "not exclude a slow-down that large, and is undecided where its interval reaches the gate"};

// Budgets.
inline constexpr Sentence<std::string, std::string, std::string, Fact> budget_not_applied{
    "budget_not_applied", "{case}: the budget {metric} = {budget} is not applied: {why}"};
inline constexpr Sentence<std::string> no_metric{"no_metric", "it has no metric \"{metric}\""};
inline constexpr Sentence<std::string> larger_is_better{
    "larger_is_better", "larger values of \"{metric}\" are better, and a budget is an upper limit"};
inline constexpr Sentence<std::string, std::string> budget_in_numbers{
    "budget_in_numbers", "\"{metric}\" is in numbers, and the budget in {unit}"};
inline constexpr Sentence<std::string, std::string, std::string> budget_in_other_unit{
    "budget_in_other_unit", "\"{metric}\" is in {metric_unit}, and the budget in {unit}"};
inline constexpr Sentence<Quantity, std::string> above_budget{"above_budget",
                                                              "{value} is above the budget of {budget}"};
inline constexpr Sentence<Quantity, Quantity, std::string> above_budget_at_least{
    "above_budget_at_least", "{value} (at least {least}) is above the budget of {budget}"};
inline constexpr Sentence<Quantity, Quantity, std::string> counts_above_budget{
    "counts_above_budget", "{least} to {most} in its processes, all above the budget of {budget}"};
inline constexpr Sentence<std::string, Facts, std::string, std::string, Facts> budget_undecided{
    "budget_undecided", "{case}: {measured}the budget {metric} = {budget} is undecided{why}"};
inline constexpr Sentence<Quantity> measured_value{"measured_value", "{value}, "};
inline constexpr Sentence<Quantity, Quantity> measured_counts{"measured_counts", "{least} to {most}, "};
inline constexpr Sentence<> count_differs{"count_differs", "its processes do not agree"};
inline constexpr Sentence<> not_in_all_counted{"not_in_all_counted", "not counted in all processes"};
inline constexpr Sentence<Facts> because_of{"because_of", ": {reasons:; }"};
inline constexpr Sentence<Count> budgets_not_judged{"budgets_not_judged",
                                                    "{budgets:budget of a time was|budgets of times were} not judged"};

// Waivers.
inline constexpr Sentence<std::string, std::string, Facts> waiver_reason{"waiver_reason",
                                                                         "{reason}, until {until}{accepted}"};
inline constexpr Sentence<> accepted_for_commit{"accepted_for_commit", "; accepted for this commit"};
inline constexpr Sentence<std::string> accepted_by{"accepted_by", "; accepted for this commit by {by}"};
inline constexpr Sentence<std::string> accepted_for_other_commit{"accepted_for_other_commit",
                                                                 "; accepted for commit {commit}"};
inline constexpr Sentence<std::string, std::string> accepted_for_other_commit_by{
    "accepted_for_other_commit_by", "; accepted for commit {commit} by {by}"};
inline constexpr Sentence<Fact> waived{"waived", "waived: {why}"};
inline constexpr Sentence<std::string, std::string, reports::Verdict, Fact> waived_state{
    "waived_state", "waived: {case} ({metric}), {verdict}: {why}"};
inline constexpr Sentence<std::string, std::string, Fact> waived_lost_count{
    "waived_lost_count", "waived: {case} ({metric}), no longer counted: {why}"};
inline constexpr Sentence<std::string, std::string, Fact, Fact, Fact> waived_change{
    "waived_change", "waived: {case} ({metric}), {change}, ceiling {ceiling}: {why}"};
inline constexpr Sentence<Fact> beyond_waiver{"beyond_waiver", "beyond its waiver (ceiling {ceiling})"};
inline constexpr Sentence<std::string, std::string, Fact, Fact, std::string> waiver_exceeded{
    "waiver_exceeded", "waiver exceeded: {case} ({metric}), {change}, is beyond its ceiling of {ceiling} ({place})"};
inline constexpr Sentence<std::string, std::string, Fact, Fact, std::string> waiver_may_be_exceeded{
    "waiver_may_be_exceeded",
    "waiver that may be exceeded: {case} ({metric}), {change} without pairs, its ceiling is {ceiling} ({place}); "
    "measure pairs, or accept the new number"};
inline constexpr Sentence<Quantity> count_of{"count_of", "{count:count}"};
inline constexpr Sentence<Quantity> lowest_count{"lowest_count", "{count:count} (the lowest accepted value)"};
inline constexpr Sentence<> no_count{"no_count", "no longer counted"};
inline constexpr Sentence<> no_relative_change{"no_relative_change", "no relative change (0 or less before)"};
inline constexpr Sentence<Share> ceiling_of{"ceiling_of", "{ceiling:g} %"};
inline constexpr Sentence<Share> ceiling_of_fall{"ceiling_of_fall", "{ceiling:+.1f} %"};
inline constexpr Sentence<Share> change_of{"change_of", "{change:+.1f} %"};
inline constexpr Sentence<Share> change_of_instructions{"change_of_instructions", "{change:+.1f} % instructions"};
inline constexpr Sentence<std::string> waiver_of_case_expired{"waiver_of_case_expired",
                                                              "its waiver expired: its last day was {last_day}"};
inline constexpr Sentence<std::string, std::string, std::string, std::string> waiver_expired{
    "waiver_expired", "expired waiver: {case} ({metric}), last day {last_day}: ignored ({place}); remove or renew it"};
inline constexpr Sentence<std::string, std::string, std::string, std::string> waiver_in_baseline{
    "waiver_in_baseline",
    "waiver already in the baseline: {case} ({metric}): the baseline has commit {commit}, whose change it accepts "
    "({place}); remove it"};
inline constexpr Sentence<std::string, std::string, std::string, std::string> waiver_of_another_change{
    "waiver_of_another_change",
    "waiver of a commit that neither side has: {case} ({metric}): commit {commit} was squashed or rebased, or is on "
    "another branch, and its waiver may accept a second change ({place}); remove it once the baseline has that "
    "change"};
inline constexpr Sentence<std::string> waiver_of_case_in_baseline{
    "waiver_of_case_in_baseline",
    "its waiver does not apply: the baseline has commit {commit}, whose change it accepts"};
inline constexpr Sentence<std::string, std::string, std::string> waiver_over_budget{
    "waiver_over_budget",
    "waiver without effect: {case} ({metric}): over its budget, which no waiver lifts ({place}); change the budget"};
inline constexpr Sentence<> waiver_of_case_over_budget{
    "waiver_of_case_over_budget", "its waiver does not apply: it is over its budget; change the budget"};
inline constexpr Sentence<std::string, reports::Verdict> waiver_needs_number{
    "waiver_needs_number",
    "its waiver ({metric}) does not apply: it has a ceiling, and a case that is {verdict} has no number; use missing = "
    "true in its place"};
inline constexpr Sentence<std::string, reports::Verdict> never_waived{
    "never_waived", "its waiver ({metric}) does not apply: a case that is {verdict} cannot be waived"};
inline constexpr Sentence<std::string, std::string, Fact, std::string> waiver_unused{
    "waiver_unused", "unused waiver: {case} ({metric}): {why} ({place}); remove it"};
inline constexpr Sentence<std::string, std::string, Fact, std::string> waiver_without_effect{
    "waiver_without_effect", "waiver without effect: {case} ({metric}): {why} ({place})"};
inline constexpr Sentence<> not_gone{"not_gone", "the case is neither missing nor not comparable"};
inline constexpr Sentence<> it_passes{"it_passes", "nothing to waive, it passes"};
inline constexpr Sentence<> count_is_the_same{"count_is_the_same", "nothing to waive, the count is the same"};
inline constexpr Sentence<std::string> no_such_metric{"no_such_metric",
                                                      "the case has no such metric; did you mean {nearest}?"};
inline constexpr Sentence<> waiver_of_pattern{"waiver_of_pattern",
                                              "a waiver takes the whole name of one case, not a pattern"};
inline constexpr Sentence<> unknown_case{"unknown_case", "unknown case"};
inline constexpr Sentence<std::string> unknown_case_near{"unknown_case_near", "unknown case; did you mean {nearest}?"};
inline constexpr Sentence<> no_date{"no_date", "no waiver was applied: the current date is unknown"};

// Runs that were measured with other flags.
inline constexpr Sentence<std::string, std::string, std::string> other_setting{
    "other_setting",
    "{setting} differs: {before} in the baseline, {after} in this run; measure both with the same {setting}"};

// A run that was measured with less than the policy asks for.
inline constexpr Sentence<std::string, double, double> less_than_asked{"less_than_asked",
                                                                       "{setting} {has} instead of {asked}"};
inline constexpr Sentence<std::string, std::string, std::string> other_than_asked{
    "other_than_asked", "{setting} \"{has}\" instead of \"{asked}\""};
inline constexpr Sentence<std::string, std::string> other_profile{"other_profile", "profile {has} instead of {asked}"};
inline constexpr Sentence<Facts> measured_with_less{
    "measured_with_less", "the run was measured with less than the base branch asks for: {what:, } (gate.weaker_run)"};
inline constexpr Sentence<Fact, Fact> what_it_shows{"what_it_shows", "{why}; what it shows: {headline}"};

}  // namespace torchgate::facts
