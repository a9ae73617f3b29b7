// SPDX-License-Identifier: Apache-2.0
// What a test says of stored runs and claims, and what it rests on.
#pragma once

#include "reports/facts/fact.hpp"

namespace torchgate::facts {

inline constexpr Sentence<stats::Reason> test{"test", "{reason}"};
inline constexpr Sentence<Share, Count, Count, Count> within_of_runs{
    "within_of_runs", "within ±{margin:g} % at {before} v {after} processes of {runs} v 1 {runs:#run|runs}"};
inline constexpr Sentence<Fact> textbook_rule{"textbook_rule", "textbook rule on {samples}"};
inline constexpr Sentence<Count, Count, Count, Count> raw_samples{
    "raw_samples", "{before} v {after} raw samples of {processes_before} v {processes_after} processes"};
inline constexpr Sentence<> no_raw_samples{"no_raw_samples", "the raw samples of a side were not kept"};
inline constexpr Sentence<> times_not_judged{"times_not_judged",
                                             "rule exact: only counted metrics were judged, times were not"};
inline constexpr Sentence<> claim_not_counted{"claim_not_counted",
                                              "the metric was not counted in both cases, or did not repeat"};
inline constexpr Sentence<std::string, Quantity, Quantity> claim_counts_differ{
    "claim_counts_differ", "{case}: {least} to {most} in its processes"};
inline constexpr Sentence<Quantity> claim_removed{
    "claim_removed", "claimed in the baseline (limit {before:count}), and no longer: the change removed the claim"};
inline constexpr Sentence<Quantity, std::string> claim_not_made{
    "claim_not_made",
    "claimed in the baseline (limit {before:count}) on the same kind of machine, and not claimed now: {why}"};
inline constexpr Sentence<Quantity, Quantity> claim_raised{
    "claim_raised", "at most {before:count} in the baseline, and {after:count} now: the change loosened the claim"};
inline constexpr Sentence<Quantity, Quantity> claim_lowered{
    "claim_lowered", "at least {before:count} in the baseline, and {after:count} now: the change loosened the claim"};
inline constexpr Sentence<> claim_not_measured{"claim_not_measured", "one of the two cases was not measured"};
inline constexpr Sentence<> too_few_for_percentile{
    "too_few_for_percentile", "its processes took too few samples for this percentile: P95 needs 21, P99 101"};

}  // namespace torchgate::facts
