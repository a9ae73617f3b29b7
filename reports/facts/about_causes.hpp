// SPDX-License-Identifier: Apache-2.0
// What changed in a case: functions, operators, counters; or that nothing that can be seen did.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<std::string, Facts, std::string, Facts> function_changed{
    "function_changed", "{function}{where} changed ({what}){others}"};
inline constexpr Sentence<> of_the_set_up{"of_the_set_up", " of the set-up"};
inline constexpr Sentence<Count, Count> of_functions{"of_functions",
                                                     ", and {others} more of {functions:function|functions}"};
inline constexpr Sentence<Fact, Facts, Count, double, double> code_is_identical{
    "code_is_identical",
    "{functions}{set_up} ({files:file|files}; {before:.0f} instructions per call before, {after:.0f} after): its time "
    "changed because addresses of code or data moved"};
inline constexpr Sentence<> only_function_identical{"only_function_identical",
                                                    "the only function that it executes is identical"};
inline constexpr Sentence<Count> functions_identical{"functions_identical",
                                                     "all {functions:,} functions that it executes are identical"};
inline constexpr Sentence<Count> and_of_set_up{"and_of_set_up", ", and {functions} of its set-up"};
inline constexpr Sentence<> no_function_changed{"no_function_changed", "no function of these files changed"};
inline constexpr Sentence<std::string, Facts> changed_but_not_executed{
    "changed_but_not_executed", "changed, and not executed by it: {function}{others}"};
inline constexpr Sentence<std::string> code_unknown{"code_unknown", "whether its code changed is unknown: {why}"};

// Instructions of functions.
inline constexpr Sentence<Fact, double, Fact, Fact> function_count{
    "function_count", "{function}: {difference:+.0f} instructions per call ({before} before, {after} after)"};
inline constexpr Sentence<std::string> function{"function", "{name}"};
inline constexpr Sentence<std::string, std::string> function_in{"function_in", "{name} ({object})"};
inline constexpr Sentence<double> exactly{"exactly", "{instructions:.0f}"};
inline constexpr Sentence<double> at_most{"at_most", "at most {instructions:.0f}"};

// Operators and counters.
inline constexpr Sentence<Facts, Facts, Facts> calls_changed{"calls_changed", "per call {operators:, }{others}{part}"};
inline constexpr Sentence<double, std::string> calls_of{"calls_of", "{calls:+count} {operator}"};
inline constexpr Sentence<Count> more_operators{"more_operators", " and {operators:more operator|more operators}"};
inline constexpr Sentence<Fact> and_part{"and_part", ", {part}"};
inline constexpr Sentence<> all_added{"all_added", "all of the added time"};
inline constexpr Sentence<> all_saved{"all_saved", "all of the time saved"};
inline constexpr Sentence<Share> part_of_added{"part_of_added", "{share:.0f} % of the added time"};
inline constexpr Sentence<Share> part_of_saved{"part_of_saved", "{share:.0f} % of the time saved"};
inline constexpr Sentence<std::string, std::string, std::string, Fact> other_inputs{
    "other_inputs", "{operator} has other inputs ({after} instead of {before}), {part}"};
inline constexpr Sentence<std::string, Share, Fact> self_time{"self_time",
                                                              "{operator} takes {change:+.0f} % by itself, {part}"};
inline constexpr Sentence<std::string, std::string, Share, Fact> self_time_on{
    "self_time_on", "{operator} ({inputs}) takes {change:+.0f} % by itself, {part}"};
inline constexpr Sentence<Facts> counts_changed{"counts_changed", "{counts:, }"};
inline constexpr Sentence<std::string, double, double> count_changed{
    "count_changed", "{metric} {after:count} instead of {before:count}"};
inline constexpr Sentence<std::string, double, double> bytes_changed{
    "bytes_changed", "{metric} {after:count} instead of {before:count} bytes"};
inline constexpr Sentence<std::string, double, double, std::string, std::string, Share, Share> clock_changed{
    "clock_changed",
    "{clock} went from {before:.0f} to {after:.0f} {unit}: {metric} changed by {time:+.1f} % in time, {cycles:+.1f} % "
    "in cycles"};
inline constexpr Sentence<Share> it_waits{"it_waits", "it waits: {share:.0f} % of the added time is CPU time"};

// None.
inline constexpr Sentence<Fact> no_cause{"no_cause", "no cause visible: {looked}"};
inline constexpr Sentence<Fact> no_cause_in_counters{"no_cause_in_counters",
                                                     "no cause visible in the counters; {looked}"};
inline constexpr Sentence<Facts> same_operators{"same_operators",
                                                "the same operators with the same calls, the same counters{outside}"};
inline constexpr Sentence<Share> outside_operators{
    "outside_operators", "; {share:.0f} % of the added time is spent outside of all operators"};
inline constexpr Sentence<Fact> operators_not_compared{"operators_not_compared",
                                                       "operators could not be compared: {why}"};
inline constexpr Sentence<> no_profile_after{"no_profile_after", "the run after has no operator profile of this case"};
inline constexpr Sentence<> no_profile_before{"no_profile_before",
                                              "the run before has no operator profile of this case"};
inline constexpr Sentence<> no_profiles{"no_profiles", "neither run has an operator profile of this case"};
inline constexpr Sentence<Fact, Fact> and_code{"and_code", "{summary}; {code}"};

}  // namespace torchgate::facts
