// SPDX-License-Identifier: Apache-2.0
// Machines: whether they are fit and the same, and their drift.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<std::string, std::string> check_found{"check_found", "{seen}{check:-}"};
inline constexpr Sentence<std::string, Names, std::string> load_found{"load_found", "{seen} (also: {also}){check:-}"};
inline constexpr Sentence<std::string, std::string> unfit_judged{
    "unfit_judged", "unfit: {seen} (judged anyway: --allow-noisy){check:-}"};
inline constexpr Sentence<std::string, std::string> unfit_not_judged{"unfit_not_judged",
                                                                     "unfit: {seen} (times are not judged){check:-}"};
inline constexpr Sentence<std::string, std::string, std::string> unfit{"unfit", "unfit: {run}: {check}: {seen}"};
inline constexpr Sentence<Quantity, Quantity> samples_too_short{
    "samples_too_short",
    "its samples of {sample} are shorter than 100 steps of the clock ({step}); make them longer, with more work or "
    "more "
    "iterations in each"};
inline constexpr Sentence<std::string, Fact> short_samples_of_case{"short_samples_of_case",
                                                                   "times of {case} are not judged: {why}"};
inline constexpr Sentence<Count, std::string, Fact> short_samples_of_cases{
    "short_samples_of_cases", "times of {cases:case|cases} are not judged (the first: {case}): {why}"};
inline constexpr Sentence<Fact> excluded{"excluded", "{why}; excluded"};
inline constexpr Sentence<Names> unchecked{"unchecked",
                                           "could not be checked: {checks} (`torchgate doctor` shows why)"};
inline constexpr Sentence<Facts> machine{"machine", "machine: {found:; }"};
inline constexpr Sentence<Names, Facts> machine_of{"machine_of", "machine ({runs:and}): {found:; }"};
inline constexpr Sentence<std::string, std::string, std::string> hosts_differ_in{
    "hosts_differ_in", "the hosts differ: {fact} was \"{before}\" and is \"{after}\""};
inline constexpr Sentence<std::string, std::string> hosts_differ{"hosts_differ",
                                                                 "the hosts differ: {before} and {after}"};
inline constexpr Sentence<std::string, std::string, std::string> devices_differ_in{
    "devices_differ_in", "the devices differ: {fact} was \"{before}\" and is \"{after}\""};
inline constexpr Sentence<std::string, std::string> devices_differ{"devices_differ",
                                                                   "the devices differ: {before} and {after}"};
inline constexpr Sentence<std::string, std::string, std::string> host_unknown{
    "host_unknown", "the hosts may differ: {fact} of {run} is unknown ({reason})"};
inline constexpr Sentence<Fact> times_not_compared{"times_not_compared",
                                                   "times are not compared with those of the baseline: {why}"};
inline constexpr Sentence<std::string> device_unknown{"device_unknown", "the device of {run} is unknown"};
inline constexpr Sentence<Fact> cuda_times_not_compared{
    "cuda_times_not_compared", "the times of CUDA cases are not compared with those of the baseline: {why}"};
inline constexpr Sentence<Count, std::string, Fact> cuda_times_excluded{
    "cuda_times_excluded",
    "{runs:stored run|stored runs} excluded from the baseline of CUDA cases (run {first}: {why})"};
inline constexpr Sentence<Count, std::string, Fact> hosts_excluded{
    "hosts_excluded", "{runs:stored run|stored runs} excluded from the baseline (run {first}: {why})"};
inline constexpr Sentence<Fact> never_compared{"never_compared",
                                               "{why}: numbers of different machines are never compared"};

// Drift.
inline constexpr Sentence<Count, Share> controls_moved{"controls_moved",
                                                       "{controls} control cases ran the same objects in every run and "
                                                       "moved by {shift:+.1f} %; corrected as machine drift"};
inline constexpr Sentence<Count, Count, Count> too_few_controls{
    "too_few_controls",
    "no drift correction: gate.controls matches {cases} cases, {changed} of them did not run the same objects in every "
    "run; at least {needed} controls are needed"};
inline constexpr Sentence<Share, Share> probes_moved{"probes_moved",
                                                     "the suite as a whole has moved by {shift:+.1f} %, and so did "
                                                     "probes in interleaved pairs ({probes:+.1f} %); not corrected"};
inline constexpr Sentence<Share> suite_corrected{
    "suite_corrected", "the suite as a whole has moved by {shift:+.1f} %: corrected as machine drift"};
inline constexpr Sentence<Share, Share> suite_corrected_by_probes{
    "suite_corrected_by_probes",
    "the suite as a whole has moved by {shift:+.1f} %, probes in interleaved pairs by {probes:+.1f} %: corrected as "
    "machine drift"};
inline constexpr Sentence<Share> suite_corrected_unverified{
    "suite_corrected_unverified",
    "the suite as a whole has moved by {shift:+.1f} %: corrected as machine drift; not verified with interleaved "
    "pairs"};
inline constexpr Sentence<Share, Count> suite_moved{
    "suite_moved", "the suite as a whole has moved by {shift:+.1f} % (median of {cases} cases); not corrected"};
inline constexpr Sentence<> values_corrected{
    "values_corrected",
    "values before are corrected for the machine drift: they are those that the machine would measure now"};

}  // namespace torchgate::facts
