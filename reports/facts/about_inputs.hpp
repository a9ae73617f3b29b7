// SPDX-License-Identifier: Apache-2.0
// Files and variables that the sides read, and files that are not those of a measurement of this change.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<std::string> variable_differs{
    "variable_differs",
    "the environment variable {variable} differs between the runs, and the pairs had one value of it"};
inline constexpr Sentence<std::string> read_new_file{
    "read_new_file", "in the pairs the baseline's binary read this change's {file}, which the baseline did not have"};
inline constexpr Sentence<std::string> file_missing_in_pairs{
    "file_missing_in_pairs", "{file}, which the baseline's binary read, was missing in the pairs"};
inline constexpr Sentence<std::string> read_other_content{
    "read_other_content", "in the pairs the baseline's binary read this change's {file}, whose content differs"};
inline constexpr Sentence<std::string> opened_nowhere{
    "opened_nowhere", "{file}, which the baseline's binary read, was opened neither in this run nor in the pairs"};
inline constexpr Sentence<std::string> changed_before_pairs{"changed_before_pairs",
                                                            "{file} was changed between this run and the pairs"};
inline constexpr Sentence<Names> data_changed{"data_changed",
                                              "{files:1} changed since the baseline, which files the suite reads is "
                                              "not known, and both sides of the pairs read the present one"};
inline constexpr Sentence<Names> generators_changed{
    "generators_changed",
    "{files:1} changed since the baseline, which may set variables or generate files, what the suite reads is not "
    "known, and both sides of the pairs read the present ones"};
inline constexpr Sentence<std::string, std::string> commit_is_missing{
    "commit_is_missing",
    "commit {short} of the baseline is missing in this clone, so which files changed since then is not known, nor "
    "which of them the suite reads, and both sides of the pairs read the present ones; fetch it (`git fetch origin "
    "{commit}`) and judge again"};
inline constexpr Sentence<Names> rebuilt_after_changes{
    "rebuilt_after_changes",
    "{files:1} changed since the baseline, and the before side of the pairs was built again in the job of this change: "
    "another build command, image or variable is then part of both sides, and the pairs cannot show what it changes"};
inline constexpr Sentence<> rebuilt_after_unknown_changes{
    "rebuilt_after_unknown_changes",
    "the before side of the pairs was built again in the job of this change, and whether the file of the job changed "
    "since the baseline is not known: what its build command changes is then part of both sides"};
inline constexpr Sentence<Names> sources_changed_alone{
    "sources_changed_alone",
    "{files:1} changed since the baseline and no executable or library did, which files the suite reads is not known, "
    "and both sides of the pairs read the present one: if the suite reads it, the pairs cannot show what it changes"};
inline constexpr Sentence<> same_programs_unknown_files{
    "same_programs_unknown_files",
    "the pairs ran the same executables and libraries on both sides, so they cannot show a change of a file that the "
    "suite reads; which files it reads, and which changed since the baseline, is not known"};

inline constexpr Sentence<> slower_with_unknown_files{
    "slower_with_unknown_files",
    "the same executables and libraries ran on both sides, so no code is slower: it is noise, or a file that one side "
    "reads differs; which files these programs read is not known, so give both sides the same ones and measure again"};

// The same files on both sides.
inline constexpr Sentence<> same_objects{
    "same_objects", "the same objects ran on both sides: no code differs, what was measured is noise"};
inline constexpr Sentence<> same_programs{"same_programs", "both sides ran the same executables and libraries"};
inline constexpr Sentence<Count, Count> same_programs_of_groups{
    "same_programs_of_groups", "{same} of {groups} groups ran the same executables and libraries on both sides"};
inline constexpr Sentence<Fact, Count, Share, Share, std::string> noise_of_same{
    "noise_of_same",
    "{who}: what differs there is noise, over {cases:case|cases} {median:.1f} % in the median and at most "
    "{largest:.1f} % ({case})"};
inline constexpr Sentence<Count> same_called_different{
    "same_called_different",
    "{findings:finding|findings} that ran the same objects on both sides would have been called regressed or improved: "
    "something else differs between the sides, such as a file that a suite reads, or this machine distorts timings; "
    "other verdicts of this report may be affected"};
inline constexpr Sentence<> same_stored_programs{
    "same_stored_programs", "both sides ran the same executables and libraries: what differs is noise of the machine"};
inline constexpr Sentence<Count, Count, std::string> identical_to_run{
    "identical_to_run",
    "executable, {libraries:library|libraries} and {files:file|files} are byte-identical to those of run {run}"};
inline constexpr Sentence<> identical_in_pairs{
    "identical_in_pairs", "executable, libraries and files read are byte-identical on both sides of the pairs"};
inline constexpr Sentence<Count> cases_identical{
    "cases_identical",
    "{cases:case is|cases are} unchanged: what they ran and read is byte-identical on both sides; their times were not "
    "judged (--measure-unchanged judges them)"};
inline constexpr Sentence<std::string, std::string, Fact> not_proved_unchanged{
    "not_proved_unchanged",
    "not measured, as unchanged since run {since}, but not the same as in run {run}: {why}; measure it without "
    "--skip-unchanged"};
inline constexpr Sentence<> unchanged_without_numbers{
    "unchanged_without_numbers",
    "not measured, as unchanged, but the baseline has no numbers of this case; measure it without --skip-unchanged"};
inline constexpr Sentence<std::string> group_unchanged{"group_unchanged",
                                                       "not measured: its group is unchanged since run {run}"};
inline constexpr Sentence<Count, Count> cases_unchanged{
    "cases_unchanged", "{unchanged} of {cases:case|cases} unchanged: nothing was measured for {unchanged:#it|them}"};

// Files of other tools.
inline constexpr Sentence<Names> files_on_both_sides{
    "files_on_both_sides",
    "{files:3}: compared with {files:#itself|themselves}: the baseline and this run both have {files:#this "
    "measurement|these measurements}; name each file on one side only"};
inline constexpr Sentence<Names> files_with_same_numbers{
    "files_with_same_numbers",
    "this run: {files:3}: the baseline has files of the same numbers, bit for bit: {files:#it is a copy|they are "
    "copies}, or the files differ only in what is not imported"};
inline constexpr Sentence<Count, Count> copied_samples{
    "copied_samples",
    "not measured again: in {copied} of {processes} processes its numbers are bit for bit those of the baseline"};
inline constexpr Sentence<Count, Count> rounded_samples{"rounded_samples",
                                                        "not measured again: in {copied} of {processes} processes its "
                                                        "numbers are those of the baseline, rounded or without "
                                                        "the last ones"};
inline constexpr Sentence<Names> sides_are_copies{"sides_are_copies",
                                                  "this run: {cases:3}: both sides have the same numbers: one is a "
                                                  "copy of the other, with another date, name or form"};
inline constexpr Sentence<std::string, double> check_gone{
    "check_gone", "{case} (output no longer compared with its reference; tolerance {before:g} before)"};
inline constexpr Sentence<std::string, double, double> check_more_tolerant{
    "check_more_tolerant", "{case} (tolerance {before:g} before, {after:g} now)"};
inline constexpr Sentence<std::string, Count, Count> fewer_proofs{
    "fewer_proofs", "{case} ({before:check|checks} of the code path before, {after} now)"};
inline constexpr Sentence<Names> weaker_checks{
    "weaker_checks",
    "{cases:|case checks|cases check} {cases:#its|their} results less strictly than in the baseline: {cases:3}; "
    "review the change of the suite"};
inline constexpr Sentence<Names> cases_are_copies{
    "cases_are_copies",
    "this run: {cases:3}: these numbers are those of the baseline: a result of an earlier run that was "
    "not measured again, or a file that is named on both sides"};
inline constexpr Sentence<Names> repeated_processes{
    "repeated_processes",
    "{cases:3}: several processes have the same numbers, bit for bit: one process is recorded more than once, and each "
    "counts"};
inline constexpr Sentence<Count, Count> fewer_repetitions{
    "fewer_repetitions",
    "{after} of {before} repetitions, while other cases have all; the file may be cut off: measure again, or use the "
    "same number on both sides"};
inline constexpr Sentence<Count, std::string, Count, Count> cases_with_fewer{
    "cases_with_fewer",
    "this run: {cases:case has|cases have} fewer repetitions than in the baseline ({first}: {after} of {before})"};
inline constexpr Sentence<Count, std::string, Count, Count> measured_much_shorter{
    "measured_much_shorter",
    "this run: {cases:case was|cases were} measured for less than a tenth of the baseline's time ({first}: {after} of "
    "{before} calls per process); measure both sides with the same settings"};
inline constexpr Sentence<Count, std::string, std::string> much_faster{
    "much_faster",
    "this run: {cases:case is|cases are} better by more than a factor of 1000 ({first}, {metric}): check that both "
    "files use the same unit, and that the work is still done"};
inline constexpr Sentence<Count, std::string, Count, Count> cut_off{
    "cut_off",
    "this run: {cases:case has|cases have} fewer repetitions than in the baseline ({first}: {after} of {before}): a "
    "file may have been cut off"};
inline constexpr Sentence<Count, std::string, Count, Count> cut_off_before{
    "cut_off_before",
    "baseline: {cases:case has|cases have} fewer repetitions than in this run ({first}: {before} of {after}), while "
    "others have as many: a file may have been cut off"};
inline constexpr Sentence<std::string, Count, std::string, Count, Count> lost_most_processes{
    "lost_most_processes",
    "{side}: {cases:case has|cases have} at most half of the other side's processes ({first}: {here} of {there}), "
    "while "
    "others have as many; measure again with the same number"};
inline constexpr Sentence<std::string, std::string> sides_swapped{
    "sides_swapped",
    "the baseline was measured after this run ({before} and {after}): the sides may be swapped; name the older one "
    "first"};
inline constexpr Sentence<std::string, Names, Count> other_tool{
    "other_tool",
    "the baseline is of {suite}, and the files of this run are of {suites}: {cases:case|cases} of the baseline "
    "{cases:#is|are} missing"};

}  // namespace torchgate::facts
