// SPDX-License-Identifier: Apache-2.0
// Verdicts that need no statistics, and how each side was measured.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<Count, Count, Fact> in_processes{"in_processes", "in {processes} of {of} processes: {what}"};
inline constexpr Sentence<std::string> lost_process{"lost_process", "lost, {message}"};
inline constexpr Sentence<std::string, Fact> of_side{"of_side", "{side}: {what}"};
inline constexpr Sentence<double, double> output_not_within{
    "output_not_within",
    "recorded as ok, but its output is not within its tolerance: relative L2 distance {distance:.2g}, allowed "
    "{tolerance:.2g}"};
inline constexpr Sentence<std::string, Count> proof_does_not_hold{
    "proof_does_not_hold",
    "recorded as ok, but the expected code path did not run: expected that it {expectation}, observed {observed}"};
inline constexpr Sentence<Fact> was_wrong{"was_wrong", "was wrong {where}"};
inline constexpr Sentence<Fact> was_not_measured{"was_not_measured", "was not measured {where}"};
inline constexpr Sentence<Fact> did_fail{"did_fail", "failed {where}"};
inline constexpr Sentence<Count, Count, std::string> lost_processes{
    "lost_processes", "{lost} of {processes} processes {lost:#was|were} lost ({message})"};
inline constexpr Sentence<Count, Count, std::string> processes_without_start{
    "processes_without_start", "{lost} of {processes} processes {lost:#was|were} not measured ({message})"};
inline constexpr Sentence<Count, Count, Count, Count> lost_on_both_sides{
    "lost_on_both_sides",
    "both sides lost processes ({lost_before} of {of_before} before, {lost} of {of} after), which leaves open whether "
    "the change loses more; fix what ended them, then measure again"};
inline constexpr Sentence<Fact, Count> and_not_measured{"and_not_measured",
                                                        "{what}; {processes} more {processes:#was|were} not measured"};
inline constexpr Sentence<Count, Count> slow_warm_up{
    "slow_warm_up", "slow warm-up: the first {discarded} of {samples} samples of a process were discarded"};
inline constexpr Sentence<Count> percentiles_of_blocks{
    "percentiles_of_blocks", "its percentiles are of blocks of {calls} calls, not of single calls"};
inline constexpr Sentence<std::string> zero_everywhere{"zero_everywhere", "equal: 0 {unit} in every process"};
inline constexpr Sentence<std::string> in_its_unit{
    "in_its_unit",
    "judged as a difference in its unit ({unit}): a value of 0, or of another sign, has no relative change"};

// One side has it.
inline constexpr Sentence<> not_in_baseline{"not_in_baseline", "not in the baseline"};
inline constexpr Sentence<std::string> skipped_before{"skipped_before", "was skipped in the baseline: {why}"};
inline constexpr Sentence<std::string> skipped_now{"skipped_now",
                                                   "was measured in the baseline and is skipped now: {why}"};
inline constexpr Sentence<> not_in_file{"not_in_file", "no file has a result of it"};
inline constexpr Sentence<> not_reported{"not_reported", "no process reported it"};
inline constexpr Sentence<> stopped_before_it{"stopped_before_it", "the run was stopped before this case was measured"};
inline constexpr Sentence<Fact> no_numbers_before{"no_numbers_before", "has no numbers in the baseline, where {why}"};
inline constexpr Sentence<Fact> it_did{"it_did", "it {what}"};
inline constexpr Sentence<std::string> suite_not_listed{"suite_not_listed",
                                                        "its suite could not list its cases ({message})"};
inline constexpr Sentence<> it_was_not_measured{"it_was_not_measured", "it was not measured"};
inline constexpr Sentence<Count> none_reported_it{"none_reported_it", "none of {processes} processes reported it"};
inline constexpr Sentence<Count, Count, Count, Count> reported_by_fewer{
    "reported_by_fewer",
    "{missing} of {of} processes did not report it; in the baseline {missing_before} of {of_before} did not"};
inline constexpr Sentence<Count, Count, Count, Count> metric_in_fewer{
    "metric_in_fewer",
    "{missing} of {of} processes have no numbers of it; in the baseline {missing_before} of {of_before} have none"};
inline constexpr Sentence<Fact> failed_alike{"failed_alike", "the baseline failed alike, {where}"};
inline constexpr Sentence<Fact> failed_alike_by_code{
    "failed_alike_by_code",
    "the baseline failed alike, {where}; where that exit code is accepted (hyperfine -i), measure `COMMAND || true`"};
inline constexpr Sentence<> metric_gone{"metric_gone",
                                        "was measured in the baseline, and the case no longer has this metric"};
inline constexpr Sentence<> in_no_file{
    "in_no_file",
    "was measured in the baseline, and no file of this run has it; --common judges the cases of both sides"};
inline constexpr Sentence<> missing_in_run{
    "missing_in_run", "was measured in the baseline and is in this run's plan, but is missing in this run"};
inline constexpr Sentence<std::string> left_out_by_filter{
    "left_out_by_filter",
    "was measured in the baseline, and the filter {filter} of this run leaves it out (gate.partial)"};
inline constexpr Sentence<std::string> left_out_by_profile{
    "left_out_by_profile",
    "was measured in the baseline, and the profile {profile} of this run leaves it out (gate.partial)"};
inline constexpr Sentence<std::string, Names> measured_by_other_tool{
    "measured_by_other_tool", "was measured in the baseline by {suite}, and the files of this run are of {suites}"};
inline constexpr Sentence<std::string, Names> suite_gone{
    "suite_gone", "was measured in the baseline, and its suite {suite} is not in this run (suites: {suites})"};
inline constexpr Sentence<> gone_since_pin{"gone_since_pin", "measured at the pin, and no longer in this run"};
inline constexpr Sentence<> not_at_pin{"not_at_pin", "not measured at the pin"};

// Both sides have it, and it is not the same.
inline constexpr Sentence<Fact> not_comparable{"not_comparable", "measured on both sides, not comparable: {why}"};
inline constexpr Sentence<std::string> ambiguous{"ambiguous", "benchmarks of this name cannot be told apart: {which}"};
inline constexpr Sentence<std::string, std::string, std::string> attribute_differs{
    "attribute_differs", "its {what} was {before} and is {after}"};
inline constexpr Sentence<Names, Names> parameters_differ{"parameters_differ",
                                                          "its parameters were ({before}) and are ({after})"};
inline constexpr Sentence<> larger_is_better_now{"larger_is_better_now",
                                                 "smaller values were better and larger values are"};
inline constexpr Sentence<> smaller_is_better_now{"smaller_is_better_now",
                                                  "larger values were better and smaller values are"};
inline constexpr Sentence<std::string, Fact> primary_metric_differs{"primary_metric_differs",
                                                                    "primary metric {metric}: {why}"};
inline constexpr Sentence<std::string, std::string> other_cpus{
    "other_cpus",
    "measured on both sides, not comparable: it was {before} and is {after}, the same benchmark with another number of "
    "CPUs (GOMAXPROCS); measure both sides with the same -cpu"};
inline constexpr Sentence<std::string, std::string> two_names{
    "two_names", "measured on both sides under two names, not comparable: it was {before} and is {after}"};
inline constexpr Sentence<std::string, std::string, Fact> two_names_differ{
    "two_names_differ",
    "measured on both sides under two names, not comparable: it was {before} and is {after} ({why})"};

// What a process reports is not a measurement.
inline constexpr Sentence<std::string> no_numbers{"no_numbers", "{metric}: no numbers were reported"};
inline constexpr Sentence<std::string, std::string> no_valid_numbers{
    "no_valid_numbers", "no numbers of {metric}: {why}; measure again once this is fixed"};
inline constexpr Sentence<std::string, std::string> no_valid_device_time{
    "no_valid_device_time",
    "no numbers of {metric}: {why}; measure again once this is fixed, or with --device-metric time"};
inline constexpr Sentence<std::string, double, std::string> measures_nothing{
    "measures_nothing",
    "{metric} of {value:g} {unit}: measures nothing, a clock cycle takes longer; check that the compiler does not "
    "remove the work"};
inline constexpr Sentence<std::string, std::string> below_resolution{
    "below_resolution",
    "{metric} of 0 {unit}: below the resolution of the unit in its file; write it with decimals or in a finer unit"};
inline constexpr Sentence<std::string, double, std::string> no_duration{
    "no_duration", "{metric} of {value:g} {unit}: not a duration that can be measured; check what the benchmark times"};

// Work per call.
inline constexpr Sentence<> twice{"twice", "twice"};
inline constexpr Sentence<> half{"half", "half"};
inline constexpr Sentence<double> times{"times", "{factor:.3g} times"};
inline constexpr Sentence<Fact, Share, std::string, Share, std::string> other_work{
    "other_work", "does {work} the work per call: {time:+.1f} % {time_name}, {rate:+.1f} % {rate_name}"};

inline constexpr Sentence<Share, Count, Count, std::string> in_few_processes{
    "in_few_processes",
    "{change:+.1f} %, but {processes} of {of} processes of {side} {processes:#has|have} it: too few to judge it"};
inline constexpr Sentence<Share> odd_process{
    "odd_process",
    "{change:+.1f} % by the medians of the processes; but for one process of a side, which leaves it undecided, the "
    "values of both sides are apart"};
inline constexpr Sentence<Share> all_apart{
    "all_apart",
    "{change:+.1f} % by the medians of the processes, and the values of both sides are apart: too large to pass "
    "undecided"};
// Of which clock a number is.
inline constexpr Sentence<Share, std::string, Share, std::string> per_cpu_time{
    "per_cpu_time", "is per CPU time: {cpu:+.1f} % {cpu_name}, {time:+.1f} % {time_name}"};
inline constexpr Sentence<Share, std::string> cpu_time_of_all_threads{
    "cpu_time_of_all_threads",
    "is the CPU time of all threads, which /process_time asks for: {time:+.1f} % {time_name}"};
inline constexpr Sentence<std::string> recomputed_per_real_time{
    "recomputed_per_real_time",
    "{rate} is per CPU time in the file; recomputed per real time, as the other side has it"};
inline constexpr Sentence<std::string> recomputed_as_less_cpu{
    "recomputed_as_less_cpu",
    "{rate} is per CPU time in the file; recomputed per real time, of which CPU time is a smaller share than before"};

}  // namespace torchgate::facts
