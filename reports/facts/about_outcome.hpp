// SPDX-License-Identifier: Apache-2.0
// The headline.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<std::string, std::string, Facts> over_budget{"over_budget",
                                                                       "{case}: {metric} over its budget{others}"};
inline constexpr Sentence<std::string, Facts, reports::Verdict, Facts, Facts> worst_case{
    "worst_case", "{case}: {metric}{verdict}{change}{others}"};
inline constexpr Sentence<std::string> metric_of_worst{"metric_of_worst", "{metric} "};
inline constexpr Sentence<Share> by_change{"by_change", " ({change:+.1f} %)"};
inline constexpr Sentence<Share> by_counted_change{"by_counted_change", " ({change:+.1f} % instructions, counted)"};
inline constexpr Sentence<Count> and_more{"and_more", " and {others} more"};
inline constexpr Sentence<std::string, std::string> claim_broken{"claim_broken", "{case}: claim broken: {claim}"};
inline constexpr Sentence<> failed{"failed", "failed"};
inline constexpr Sentence<Fact, Count> with_waived{"with_waived", "{headline}; {cases} waived"};

// Nothing fails.
inline constexpr Sentence<Fact, Count, Facts> what_cases_show{"what_cases_show", "{what} in {cases:case|cases}{more}"};
inline constexpr Sentence<> no_regression{"no_regression", "no regression"};
inline constexpr Sentence<> no_confirmed_regression{"no_confirmed_regression", "no confirmed regression"};
inline constexpr Sentence<> regression_below_gate{"regression_below_gate", "one regression below the gate"};
inline constexpr Sentence<Count> regressions_below_gate{"regressions_below_gate",
                                                        "{regressions} regressions below the gate"};
inline constexpr Sentence<Count> regressions_not_gated{"regressions_not_gated",
                                                       "{regressions:regression|regressions} (not gated)"};
inline constexpr Sentence<Count, Count> regressions_partly_gated{
    "regressions_partly_gated", "{regressions:regression|regressions} (not gated) and {below} below the gate"};
inline constexpr Sentence<> all_decided{"all_decided", ", all decided"};
inline constexpr Sentence<Count, Count> counts_decided{"counts_decided",
                                                       ", {decided} decided and {undecided} undecided"};
inline constexpr Sentence<Count, Count, Facts, Share, Count> some_decided{
    "some_decided",
    ", {decided} decided and {undecided} undecided{counted}; a {gate:g} % slow-down would have been seen in "
    "{sensitive}"};
inline constexpr Sentence<Count> with_no_more_instructions{"with_no_more_instructions",
                                                           " ({cases} with no more instructions counted)"};
inline constexpr Sentence<std::string, Facts, reports::Verdict, Facts> named_case{
    "named_case", "; {case}: {metric}{verdict}{change}"};
inline constexpr Sentence<Count> faster_unconfirmed{"faster_unconfirmed", "; {cases} faster, not confirmed"};
inline constexpr Sentence<Count> moved_without_code{"moved_without_code",
                                                    "; {cases} moved without a change of {cases:#its|their} code"};
inline constexpr Sentence<Count> unchanged_cases{"unchanged_cases", "; {cases} unchanged"};
inline constexpr Sentence<Count> counts_moved{"counts_moved", "; {counts:count|counts} changed"};
inline constexpr Sentence<Count> waived_cases{"waived_cases", "; {cases} waived"};
inline constexpr Sentence<Count> cases_not_judged{"cases_not_judged", "; {cases} not judged"};
inline constexpr Sentence<Count, Fact> cases_not_judged_because{"cases_not_judged_because",
                                                                "; {cases} not judged: {why}"};
inline constexpr Sentence<Count> cases_measured{"cases_measured",
                                                "{cases:case|cases} measured, nothing to compare with"};

// Why there is no verdict.
inline constexpr Sentence<Facts> no_case_judged{"no_case_judged", "no case could be judged: {causes:; }"};
inline constexpr Sentence<> nothing_compared{"nothing_compared", "nothing could be compared"};
inline constexpr Sentence<Facts> nothing_compared_because{"nothing_compared_because",
                                                          "nothing could be compared: {causes:; }"};
inline constexpr Sentence<Fact, Count> cause_of_cases{"cause_of_cases", "{why} ({cases:case|cases})"};
inline constexpr Sentence<Count> more_causes{"more_causes", "{causes} more"};
inline constexpr Sentence<> one_process_per_side{"one_process_per_side",
                                                 "1 process per side: no between-process variance"};
inline constexpr Sentence<> one_process_before{"one_process_before",
                                               "1 process in the baseline: no between-process variance"};
inline constexpr Sentence<> one_process_after{"one_process_after",
                                              "1 process in this run: no between-process variance"};
inline constexpr Sentence<> unknown_reason{"unknown_reason", "the reason is unknown"};
inline constexpr Sentence<Fact, Count> undecided_but_no_more{
    "undecided_but_no_more", "{headline}; {cases:undecided case|undecided cases} with no more instructions counted"};
inline constexpr Sentence<Fact, Fact> what_was_measured_shows{"what_was_measured_shows",
                                                              "{why}; what it measured shows {headline}"};
inline constexpr Sentence<std::string, Facts, Facts, Fact> what_was_compared_shows{
    "what_was_compared_shows", "{case}{others}: not comparable{why}; what was compared shows {headline}"};
inline constexpr Sentence<Count, Fact> suspects_stay_open{
    "suspects_stay_open", "{suspects:suspect|suspects} {suspects:#stays|stay} open: {why}"};
inline constexpr Sentence<double, Fact> too_few_decided{
    "too_few_decided", "too few cases decided for gate.min_decided = {min_decided:g}: {headline}"};

// What all changes have in common.
inline constexpr Sentence<std::string, Fact> common_and_worst{"common_and_worst", "{common}; worst: {headline}"};
inline constexpr Sentence<Fact, std::string> with_common{"with_common", "{headline}; {common}"};
inline constexpr Sentence<std::string, Fact> since_pin{"since_pin", "since {pin}: {headline}"};

}  // namespace torchgate::facts
