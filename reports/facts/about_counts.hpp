// SPDX-License-Identifier: Apache-2.0
// Counted metrics, instructions among them.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<> other_libtorch_listed{"other_libtorch_listed",
                                                  "LibTorch itself differs: listed, not judged"};
inline constexpr Sentence<> gated_by_suite{"gated_by_suite", "gated by its suite"};
inline constexpr Sentence<Share> memory_grew{"memory_grew", "peak memory grew by at least {limit:g} %"};
inline constexpr Sentence<> memory_grew_from_0{"memory_grew_from_0", "peak memory grew from 0"};
inline constexpr Sentence<Share> memory_may_have_grown{
    "memory_may_have_grown", "peak memory may have grown by at least {limit:g} %: its count is lost or varies"};
inline constexpr Sentence<Count> counts_the_same{"counts_the_same",
                                                 "{metrics:counted metric is|counted metrics are} the same"};
inline constexpr Sentence<Fact> count_of_older{"count_of_older",
                                               "counted in {run}: the newest stored run has no count of it"};
inline constexpr Sentence<Fact> counts_not_comparable{"counts_not_comparable",
                                                      "counted on both sides, not comparable: {why}"};
inline constexpr Sentence<> count_gone{
    "count_gone", "counted in the baseline and not now: the suite no longer has it, or it did not repeat"};
inline constexpr Sentence<Quantity, Quantity> count_varies_now{
    "count_varies_now",
    "counted in the baseline; now it differs between the samples of a process: {least:count} to {most:count}"};
inline constexpr Sentence<Quantity, Quantity, Quantity, Quantity> counts_apart{
    "counts_apart",
    "differs between processes, and each count is worse than all before: {least_before:count} to {most_before:count} "
    "before, {least:count} to {most:count} now"};
inline constexpr Sentence<Quantity, Quantity, Quantity, Quantity> counts_overlap{
    "counts_overlap",
    "differs between processes, and the counts of both sides overlap: {least_before:count} to {most_before:count} "
    "before, {least:count} to {most:count} now"};
inline constexpr Sentence<Quantity, Quantity, Quantity, Quantity> counts_of_samples_apart{
    "counts_of_samples_apart",
    "differs between the samples of a process, and each count is worse than all before: {least_before:count} to "
    "{most_before:count} before, {least:count} to {most:count} now"};
inline constexpr Sentence<Quantity, Quantity, Quantity, Quantity> counts_of_samples_overlap{
    "counts_of_samples_overlap",
    "differs between the samples of a process, and the counts of both sides overlap: {least_before:count} to "
    "{most_before:count} before, {least:count} to {most:count} now"};
inline constexpr Sentence<Names> counts_that_vary{
    "counts_that_vary",
    "{counts:|count was|counts were} not judged, as {counts:#it differs|they differ} within a side, but the values of "
    "both sides do not overlap: {counts:3}"};
inline constexpr Sentence<Names> worse_unjudged{
    "worse_unjudged",
    "{metrics:metric that is not judged|metrics that are not judged} got worse: {metrics:3}; to judge one, set "
    "metrics.NAME = \"fail\" in a [[case]] table"};
inline constexpr Sentence<std::string, std::string, Share> metric_changed{"metric_changed",
                                                                          "{case} ({metric} {change:+.1f} %)"};
inline constexpr Sentence<Fact> count_lost{"count_lost", "counted in the baseline and not now: {why}"};
inline constexpr Sentence<Names> no_count_known{
    "no_count_known", "{cases:|case was|cases were} not judged, as no count is known on both sides: {cases:3}"};

// Why counts of instructions are not compared.
inline constexpr Sentence<Count, Count> other_calls{
    "other_calls",
    "counted over {before} and {after} calls per process (--quick counts one); count both sides in the same way"};
inline constexpr Sentence<> other_libtorch{"other_libtorch",
                                           "LibTorch itself differs; count both sides with the same one"};
inline constexpr Sentence<std::string, std::string, std::string> environment_differs{
    "environment_differs", "{fact} was \"{before}\" and is \"{after}\"; add a baseline of this environment"};
inline constexpr Sentence<std::string, std::string> other_counter{
    "other_counter", "counted with {before} in the baseline and with {after} now; add a new baseline"};
inline constexpr Sentence<std::string, std::string> other_kernels{
    "other_kernels",
    "kernels were chosen for {before} in the baseline and for {after} now; add a baseline of this CPU"};
inline constexpr Sentence<std::string, std::string> kernels_of_libtorch{
    "kernels_of_libtorch", "LibTorch chose kernels for {before} before and for {after} after"};
inline constexpr Sentence<> baseline_counted_0{"baseline_counted_0", "the baseline counted 0"};
inline constexpr Sentence<> counted_0{"counted_0", "0 were counted"};
inline constexpr Sentence<> not_counted{"not_counted", "this run did not count them (`torchgate run --instructions`)"};
inline constexpr Sentence<> neither_counted{"neither_counted",
                                            "neither side counted them; use `torchgate run --instructions`"};
inline constexpr Sentence<> baseline_did_not_count{
    "baseline_did_not_count", "the baseline did not count them; add one of `torchgate run --instructions`"};
inline constexpr Sentence<std::string> unknown_in_baseline{"unknown_in_baseline", "unknown in the baseline: {why}"};
inline constexpr Sentence<Fact, Fact> and_also{"and_also", "{why}; and {also}"};
inline constexpr Sentence<Fact> not_compared{"not_compared", "not compared: {why}"};

// What instructions say.
inline constexpr Sentence<std::string, Count, Count> instructions{
    "instructions", "instructions ({counter}): {cases:case|cases} compared, {changed} changed"};
inline constexpr Sentence<std::string, Count, Count, Share, std::string> instructions_with_tolerance{
    "instructions_with_tolerance",
    "instructions ({counter}): {cases:case|cases} compared, {changed} changed; in some, smaller changes than their "
    "tolerance are not seen, at worst {tolerance:.2g} % ({case}; `torchgate calibrate --instructions` lists them)"};
inline constexpr Sentence<Count> calls_counted{"calls_counted",
                                               "{calls:call|calls} of each case {calls:#was|were} counted in each "
                                               "process: work that a case does less often (growth, "
                                               "rehash, flush, eviction) is not in the counts"};
inline constexpr Sentence<std::string, Fact> instructions_not_compared{
    "instructions_not_compared", "instructions of {case} were not compared: {why}"};
inline constexpr Sentence<Count, Fact> instructions_of_cases_not_compared{
    "instructions_of_cases_not_compared", "instructions of {cases:case|cases} were not compared: {why}"};
inline constexpr Sentence<Share, Share, Fact, Share> instructions_change{
    "instructions_change",
    "{change:+.3g} % instructions per call; tolerance {tolerance:.2g} % ({because}), judged from {from:.2g} % on"};
inline constexpr Sentence<> fewer_are_listed{"fewer_are_listed", "fewer instructions are listed only"};
inline constexpr Sentence<Share> calibrated_spread{"calibrated_spread",
                                                   "processes of the calibration differ by {spread:.2g} %"};
inline constexpr Sentence<Share> spread_of_processes{"spread_of_processes",
                                                     "processes of a side differ by {spread:.2g} %"};
inline constexpr Sentence<> assumed_spread{"assumed_spread", "one process per side and no calibration"};

// Cases that their times leave open.
inline constexpr Sentence<> one_side_counted{"one_side_counted", "only one side was counted"};
inline constexpr Sentence<> nothing_counted{"nothing_counted", "nothing was counted"};
inline constexpr Sentence<> one_process_counted{
    "one_process_counted", "each side was counted in one process, so whether its count repeats is unknown"};
inline constexpr Sentence<Fact> does_not_repeat{"does_not_repeat", "the count does not repeat: {why}"};
inline constexpr Sentence<Share, Count, Count> too_few_counted{
    "too_few_counted", "{change:+.3g} % in {processes:process|processes} per side, and a regression needs {needed}"};
inline constexpr Sentence<Fact> no_evidence{"no_evidence", "its instructions are not evidence: {why}"};
inline constexpr Sentence<Share, std::string, Count> counted_change{
    "counted_change", "{change:+.3g} % instructions per call ({counter}, {processes:process|processes})"};
inline constexpr Sentence<Fact, Facts> no_more_instructions{"no_more_instructions",
                                                            "counted: no more instructions: {numbers}{kernels}"};
inline constexpr Sentence<Fact, Facts> fewer_instructions{"fewer_instructions",
                                                          "counted: fewer instructions: {numbers}{kernels}"};
inline constexpr Sentence<Fact, Share, Facts> below_gate_counted{
    "below_gate_counted", "counted: {numbers}, below the gate of {gate:g} %{kernels}"};
inline constexpr Sentence<std::string, std::string> timed_other_kernels{
    "timed_other_kernels", "; counted with kernels for {counted}, timed with those for {timed}"};
inline constexpr Sentence<Share> count_decides{
    "count_decides", "its times leave it open; counted: {change:+.3g} % instructions per call, which decides"};
inline constexpr Sentence<std::string, Fact, Share, Facts> counted_at_gate{
    "counted_at_gate",
    "its times leave it open; counted in {where}: {numbers}, at or above the gate of {gate:g} %{kernels}"};
inline constexpr Sentence<Count, Count, Count, Count> open_cases_counted{
    "open_cases_counted",
    "times left {cases:counted case|counted cases} open; by their instructions {regressed} regressed, "
    "{no_more:executes|execute} no more instructions in the counted calls, {undecided} undecided"};
inline constexpr Sentence<std::string, Fact> open_case_no_evidence{
    "open_case_no_evidence", "instructions of the open case {case} are not evidence: {why}"};
inline constexpr Sentence<Count, Fact> open_cases_no_evidence{
    "open_cases_no_evidence", "instructions of {cases:open case|open cases} are not evidence: {why}"};
inline constexpr Sentence<std::string, Fact> open_case_not_counted{
    "open_case_not_counted", "instructions of the open case {case} were not counted: {why}"};
inline constexpr Sentence<Count, Fact> open_cases_not_counted{
    "open_cases_not_counted", "instructions of {cases:open case|open cases} were not counted: {why}"};

}  // namespace torchgate::facts
