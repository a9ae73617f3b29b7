// SPDX-License-Identifier: Apache-2.0
// Interleaved pairs: what they decide, why there are none, and what they cost.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<Share, Count> within_of_pairs{"within_of_pairs", "within ±{margin:g} % at {pairs} pairs"};
inline constexpr Sentence<Share> typical_is_less_certain{
    "typical_is_less_certain",
    "its typical time varies more than its floor: it may have grown by up to {growth:.3g} %"};
inline constexpr Sentence<Share, Share> interval_beyond_gate{
    "interval_beyond_gate", "its whole {level:g} % interval lies beyond the gate of {gate:g} %"};
inline constexpr Sentence<Count> too_few_to_fail{"too_few_to_fail",
                                                 "its whole interval lies beyond the gate, but a side has fewer than "
                                                 "{fewest} processes: so do equal sides too often"};
inline constexpr Sentence<Fact> not_confirmed{"not_confirmed", "not confirmed: {why}"};
inline constexpr Sentence<Fact> paired_rule_only{"paired_rule_only",
                                                 "rule paired judges interleaved pairs only: {why}"};
inline constexpr Sentence<std::string> rule_judges_no_pairs{"rule_judges_no_pairs",
                                                            "rule {rule} judges no interleaved pairs"};
inline constexpr Sentence<> no_pairs_requested{"no_pairs_requested", "interleaved pairs were not requested"};
inline constexpr Sentence<> no_pairs_of_case{"no_pairs_of_case", "it has no interleaved pairs"};
inline constexpr Sentence<Fact> group_without_pairs{"group_without_pairs",
                                                    "its group was not measured in pairs: {why}"};
inline constexpr Sentence<> no_pair_measured{"no_pair_measured", "no interleaved pair was measured"};
inline constexpr Sentence<Fact> not_in_newest_run{
    "not_in_newest_run", "pairs run the binaries of the newest stored run, and its baseline is {run}"};
inline constexpr Sentence<Count> undecided_by_pairs{"undecided_by_pairs",
                                                    "{pairs:interleaved pair|interleaved pairs} did not decide it"};
inline constexpr Sentence<Fact> left_open{"left_open", "interleaved pairs left it open: {why}"};
inline constexpr Sentence<Count, Fact> left_open_by{"left_open_by",
                                                    "{pairs:interleaved pair|interleaved pairs} left it open: {why}"};
inline constexpr Sentence<Fact> not_measured_in_pairs{"not_measured_in_pairs", "not measured in pairs: {why}"};
inline constexpr Sentence<Share, Count> suggestion_unconfirmed{
    "suggestion_unconfirmed",
    "the stored baseline suggested {change:+.1f} %; {pairs} interleaved pairs did not confirm it"};
inline constexpr Sentence<Count> unknown_change_unconfirmed{
    "unknown_change_unconfirmed",
    "the stored baseline suggested a change; {pairs} interleaved pairs did not confirm it"};
inline constexpr Sentence<Names, Share, Count> large_suggestion_unconfirmed{
    "large_suggestion_unconfirmed",
    "{cases:1}: the stored baseline suggested {change:+.1f} %; {pairs} interleaved pairs did not confirm it: this run "
    "was disturbed, or something changed that both sides of the pairs share, such as an untracked file or an "
    "environment variable"};
inline constexpr Sentence<> recorded_binaries{"recorded_binaries",
                                              "the pairs ran the recorded binaries of both sides (verified by hash)"};
inline constexpr Sentence<> recorded_baseline{"recorded_baseline",
                                              "the pairs ran the baseline's recorded binaries (verified by hash)"};
inline constexpr Sentence<std::string> file_differs{"file_differs",
                                                    "{file}, which it reads, differs between the sides"};

// Pairs of cases that the screen left open.
inline constexpr Sentence<> pairs_time_spent{"pairs_time_spent", "the time for pairs was spent"};
inline constexpr Sentence<Share, Count> pairs_too_noisy{
    "pairs_too_noisy", "its pairs differ by {spread:.0f} %, too much for {pairs} pairs"};
inline constexpr Sentence<Share, Count> processes_too_noisy{
    "processes_too_noisy", "its processes differ by {spread:.0f} %, too much for {pairs} pairs"};
inline constexpr Sentence<Count, Fact> undecided_without_pairs{
    "undecided_without_pairs", "{cases:case is|cases are} undecided: no interleaved pairs were judged, because {why}"};
inline constexpr Sentence<Count, Count, double, Facts> screen_left_open{
    "screen_left_open",
    "the screen left {cases:case|cases} open: {decided} decided by {seconds:.0f} s of interleaved pairs{others}"};
inline constexpr Sentence<Count, Count> too_noisy_of_them{"too_noisy_of_them", ", {cases} too noisy for {pairs} pairs"};
inline constexpr Sentence<Count> without_time_of_them{"without_time_of_them", ", {cases} when the time was spent"};
inline constexpr Sentence<Count> in_missing_shards_of_them{"in_missing_shards_of_them", ", {cases} in missing shards"};

// How many there are.
inline constexpr Sentence<Count, Count, Count> pairs_raised{
    "pairs_raised",
    "gate.pairs = {asked}: too few to show any regression, {verdicts:verdict needs|verdicts need} at least {pairs}; up "
    "to {pairs} are measured"};
inline constexpr Sentence<Fact> not_judged{"not_judged", "not judged: {why}"};
inline constexpr Sentence<Count, Count> too_few_pairs{
    "too_few_pairs", "{pairs:pair|pairs} cannot show a regression, however large; at least {needed} are needed"};
inline constexpr Sentence<Count, Count> cases_with_too_few_pairs{
    "cases_with_too_few_pairs",
    "{blind} of {cases} cases had too few pairs: no regression could have been found in {blind:#it|them}"};

// A budget that was spent.
inline constexpr Sentence<Count> budget_of_pairs{"budget_of_pairs", "the budget of {pairs:pair|pairs}"};
inline constexpr Sentence<double> budget_of_time{"budget_of_time", "the pairs' budget of {seconds:g} s"};
inline constexpr Sentence<double, Count> budget_of_both{"budget_of_both",
                                                        "the pairs' budget of {seconds:g} s or {pairs:pair|pairs}"};
inline constexpr Sentence<> no_process_recorded{
    "no_process_recorded",
    "not measured: the record has no process of its group, and neither a budget nor an interruption"};
inline constexpr Sentence<Fact> budget_ran_out{"budget_ran_out",
                                               "not measured: {budget} ran out before its first pair"};
inline constexpr Sentence<Fact, Count, Count> budget_spent{
    "budget_spent", "{budget} was spent after {pairs} of at most {planned} pairs"};
inline constexpr Sentence<Fact, Count> budget_spent_before{
    "budget_spent_before", "{budget} was spent before {cases:case was|cases were} decided"};

inline constexpr Sentence<std::string, Count, Count, Count> too_few_for_tail{
    "too_few_for_tail", "too few samples: {tail} needs {needed} raw samples per side, found {before} and {after}"};
inline constexpr Sentence<std::string> tail_of_turns{
    "tail_of_turns",
    "{tail} is not judged: the processes of a pair take turns, and a repetition of Google Benchmark that is stopped "
    "meanwhile takes longer"};
inline constexpr Sentence<Count, std::string, double> rare_calls_slower{
    "rare_calls_slower",
    "rare calls are slower: {cases:case has|cases have} a slower mean and no slower median; the largest is {case}, "
    "{ratio:.3g}x; judge them with gate.tails"};
inline constexpr Sentence<Count, std::string, double> stored_mean_slower{
    "stored_mean_slower",
    "{cases:case has|cases have} a slower mean and no slower median; the largest is {case}, {ratio:.3g}x: fewer than "
    "half of the calls are slower, or this run was disturbed; `torchgate ab` with gate.tails judges them"};
inline constexpr Sentence<Count> tails_need_pairs{
    "tails_need_pairs",
    "gate.tails: P95 and P99 of {cases:case|cases} were not judged, since stored times cannot judge them; measure "
    "interleaved pairs with `torchgate ab` or `torchgate gate --now`"};
inline constexpr Sentence<std::string, Share, Count> tail_of_processes{
    "tail_of_processes", "{tail} of each process, margin {margin:g} %, {pairs} pairs"};

// What pairs could not compare.
inline constexpr Sentence<Fact> before_side_failed{"before_side_failed",
                                                   "not compared in pairs: the before side {failure}"};
inline constexpr Sentence<> in_no_pair{"in_no_pair",
                                       "not compared in pairs: no pair has it; give the pairs more time (--budget)"};
inline constexpr Sentence<Fact> not_compared_in_pairs{"not_compared_in_pairs", "not compared in pairs: {why}"};
inline constexpr Sentence<Count, Count> incomplete_pairs{
    "incomplete_pairs", "INCOMPLETE: {uncompared} of {cases:case|cases} could not be compared in pairs"};
inline constexpr Sentence<Names, Fact> groups_without_pairs{
    "groups_without_pairs",
    "INCOMPLETE: {groups:#group|groups} {groups} {groups:#was|were} not measured in pairs ({why})"};
inline constexpr Sentence<Facts> failed_before{
    "failed_before", "{cases:|case was|cases were} not compared, as the before side has no numbers: {cases:3}"};
inline constexpr Sentence<std::string, Fact> case_and_failure{"case_and_failure", "{case} ({failure})"};
inline constexpr Sentence<Count, Count, Fact> in_pairs_processes{
    "in_pairs_processes", "in the pairs, in {processes} of {of} processes: {message}"};
inline constexpr Sentence<Fact> in_the_pairs{"in_the_pairs", "in the pairs: {message}"};
inline constexpr Sentence<Count> without_turns{
    "without_turns",
    "{cases:case was|cases were} measured one process after the other, not in turns (a cold start, ranks, a process "
    "of their own, a device without memory for both, or a suite of an older torchgate): other load on the machine "
    "moves {cases:#it|them} more"};
inline constexpr Sentence<Fact> no_interleaved_pairs{"no_interleaved_pairs", "no interleaved pairs: {why}"};
inline constexpr Sentence<> they_were_not_requested{"they_were_not_requested", "they were not requested"};
inline constexpr Sentence<std::string, Fact> since_pin_ran{"since_pin_ran", "change since {pin}; {ran}"};

}  // namespace torchgate::facts
