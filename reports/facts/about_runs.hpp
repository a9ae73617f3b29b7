// SPDX-License-Identifier: Apache-2.0
// Runs as a whole: which one is named, what it lacks, and what was made of its plan.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<std::string, std::string> stored_run{"stored_run", "run {run} ({date})"};
inline constexpr Sentence<std::string, std::string, std::string> stored_run_of_commit{"stored_run_of_commit",
                                                                                      "run {run} of {commit} ({date})"};
inline constexpr Sentence<Fact> numbers_of_older{
    "numbers_of_older", "measured in {run}; the newest stored run has no usable numbers of it"};
inline constexpr Sentence<Fact, std::string, Fact> baseline_is_older{
    "baseline_is_older", "baseline: {run}; the newest stored run, {newest}, {why}"};
inline constexpr Sentence<Count> without_logarithm{
    "without_logarithm",
    "{runs:earlier stored run has|earlier stored runs have} a value of 0 or less, and not pooled with the newest"};
inline constexpr Sentence<Count> at_other_level{
    "at_other_level",
    "{runs:earlier stored run is|earlier stored runs are} at another level than the newest, and not pooled with it"};
inline constexpr Sentence<> lacks_the_case{"lacks_the_case", "does not have the case"};
inline constexpr Sentence<std::string> cannot_tell_apart{"cannot_tell_apart",
                                                         "cannot tell the benchmarks of this name apart: {which}"};
inline constexpr Sentence<Fact> measured_otherwise{"measured_otherwise", "measured it in another way: {why}"};
inline constexpr Sentence<Fact> measured_on_another_machine{"measured_on_another_machine",
                                                            "measured it on another machine: {why}"};
inline constexpr Sentence<> without_usable_numbers{"without_usable_numbers", "has no usable numbers of it"};
inline constexpr Sentence<Fact> without_usable_numbers_as{"without_usable_numbers_as",
                                                          "has no usable numbers of it: {why}"};
inline constexpr Sentence<std::string, Names, Count> suite_not_in_run{
    "suite_not_in_run",
    "suite {suite} is not in this run (suites: {suites}): {cases:case|cases} of the baseline {cases:#is|are} missing; "
    "build and measure it, or measure some suites only with --filter"};
inline constexpr Sentence<Names> numbers_of_older_runs{"numbers_of_older_runs",
                                                       "{cases:|case was|cases were} compared with an older run of the "
                                                       "baseline, as the newest has no usable numbers: {cases:3}"};
inline constexpr Sentence<Names> gone_before{"gone_before",
                                             "{cases:|case|cases} of older runs of the baseline {cases:#is|are} "
                                             "neither in its newest run nor in this one: {cases:3}"};
inline constexpr Sentence<Count, Count> one_sided{
    "one_sided",
    "{before:case|cases} of the baseline alone and {after:case|cases} of this run alone were left out (--common)"};
inline constexpr Sentence<Names, Names> no_part_of_the_other{
    "no_part_of_the_other",
    "--common: neither side is a part of the other, and a case may have got another name; only the baseline has "
    "{before:3}, only this run has {after:3}"};

// What it lacks.
inline constexpr Sentence<Names, Fact> of_runs{"of_runs", "{runs:and}: {what}"};
inline constexpr Sentence<> unidentified_machine{
    "unidentified_machine", "the file does not identify the machine; both sides are assumed to come from the same one"};
inline constexpr Sentence<std::string, std::string> files_of_two_hosts{
    "files_of_two_hosts",
    "the files name different hosts ({before}, {after}) and do not identify the machines; both are assumed to be "
    "alike"};
inline constexpr Sentence<> run_stopped{"run_stopped", "was stopped before its plan was complete"};
inline constexpr Sentence<> this_run_stopped{"this_run_stopped", "the run was stopped before its plan was complete"};
inline constexpr Sentence<std::string, std::string> process_lost{"process_lost",
                                                                 "a process of {group} was lost: {message}"};
inline constexpr Sentence<Count, Fact> processes_lost{"processes_lost",
                                                      "{processes} processes were lost; the first: {first}"};
inline constexpr Sentence<Fact, Count> lost_and_not_measured{
    "lost_and_not_measured", "{lost}; {processes:more process was|more processes were} not measured"};
inline constexpr Sentence<std::string, std::string> process_not_measured{
    "process_not_measured", "a process of {group} was not measured: {message}"};
inline constexpr Sentence<Count, Fact> processes_not_measured{
    "processes_not_measured", "{processes} processes were not measured; the first: {first}"};
inline constexpr Sentence<Count, std::string, Count, Count> processes_not_recorded{
    "processes_not_recorded",
    "{groups:group has|groups have} fewer processes than planned, and no record of the others; the first: {group}, "
    "{processes} of {planned}"};
inline constexpr Sentence<Count, std::string> groups_not_recorded{
    "groups_not_recorded",
    "{groups:group has|groups have} cases and no record of a process on either side; the first: {group}"};
inline constexpr Sentence<Count, std::string, Count, Count> more_processes_than_planned{
    "more_processes_than_planned",
    "{groups:group has|groups have} more processes than planned, and all of them count; the first: {group}, "
    "{processes} "
    "instead of {planned}"};
inline constexpr Sentence<Count, std::string, Count> ended_badly_with_results{
    "ended_badly_with_results",
    "{processes:process with results|processes with results} did not end with exit code 0; the first: {group}, exit "
    "code {code}"};
inline constexpr Sentence<Fact> incomplete{"incomplete", "INCOMPLETE: {why}"};
inline constexpr Sentence<Names, Count> shards_missing{
    "shards_missing", "{shards:#shard|shards} {shards} of {of} {shards:#is|are} missing"};
inline constexpr Sentence<Names, std::string> suites_not_listed{
    "suites_not_listed",
    "{suites:#suite|suites} {suites} did not list {suites:#its|their} cases, and {suites:#was|were} not measured "
    "({message})"};
inline constexpr Sentence<Count, Count> shard_alone{
    "shard_alone", "this is shard {shard} of {shards} alone (`torchgate merge` makes one run of all)"};
inline constexpr Sentence<Fact, Names> groups_not_measured{
    "groups_not_measured", "{what}: its groups were not measured and are not judged ({groups})"};
inline constexpr Sentence<Fact> no_groups_not_measured{
    "no_groups_not_measured", "{what}: its groups were not measured and are not judged (no groups)"};
inline constexpr Sentence<Count, std::string, Facts> not_planned{
    "not_planned",
    "{cases} {cases:#case|cases} of {of} {cases:#was|were} not judged: this run's plan leaves {cases:#it|them} out "
    "({why:, })"};
inline constexpr Sentence<std::string> by_filter{"by_filter", "filter {filter}"};
inline constexpr Sentence<std::string> by_profile{"by_profile", "profile {profile}"};
inline constexpr Sentence<Count, Count> by_shard{"by_shard", "shard {shard} of {shards}"};
inline constexpr Sentence<Names> by_suites{"by_suites", "suites {suites: }"};
inline constexpr Sentence<std::string> varied{"varied", "varied on purpose: {fact}"};
inline constexpr Sentence<Fact, std::string, Count, Facts> to_compare_in_pairs{
    "to_compare_in_pairs", "{since}, run {run}: {cases:case|cases} to compare in interleaved pairs{others}"};
inline constexpr Sentence<Fact, std::string, Count, Facts> compared_in_pairs{
    "compared_in_pairs", "{since}, run {run}: {cases:case|cases} compared in interleaved pairs{others}"};
inline constexpr Sentence<std::string> changes_since{"changes_since", "changes are those since {pin}"};
inline constexpr Sentence<> no_stored_times{"no_stored_times", "no times of the baseline are compared"};
inline constexpr Sentence<Count> byte_identical{"byte_identical", ", {cases} byte-identical"};
inline constexpr Sentence<Count> no_longer_measured{"no_longer_measured", ", {cases} no longer measured"};
inline constexpr Sentence<Count> not_measured_then{"not_measured_then", ", {cases} not measured then"};
inline constexpr Sentence<Count> cases_not_comparable{"cases_not_comparable", ", {cases} not comparable"};

}  // namespace torchgate::facts
