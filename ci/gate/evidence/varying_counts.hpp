// SPDX-License-Identifier: Apache-2.0
// Counts that differ within a side, by a little from sample to sample: they are not exact metrics, and no rule judges them but where all values now are
// worse than all before (exact_metrics.hpp). A count X that differs within one process is the timed metric X_sampled, as harness/import writes it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// Of the name of a metric that has the samples of a count.
inline constexpr std::string_view sampled_suffix = "_sampled";

/// What the processes that disagree within themselves say of the count NAME. Absent: there are none.
std::optional<CountRange> range_of_samples(const CaseEvidence& evidence, const std::string& name);

/// The same of all processes, also of those that agree within themselves.
std::optional<CountRange> range_of_count(const CaseEvidence& evidence, const std::string& name);

/// Counts of a case, by their names where all samples agree.
std::set<std::string_view> names_of_counts(const record::Case& definition);

/// One of them, as an exact metric. Absent: the case has none of this name.
std::optional<record::Metric> count_named(const record::Case& definition, const std::string& name);

/// Both sides have samples of the count NAME that their files have judged: they are compared as a timed metric.
bool judges_samples(const record::Case& before, const record::Case& after, std::string_view name);

/// SAMPLES is a metric of samples that differ, and those of a process agree now: it is an exact metric there.
bool is_count_now(const CaseEvidence& after, std::string_view samples);

/// The median of the processes' counts, or of the medians of their samples. Absent: no process has it.
std::optional<double> typical_count(const CaseEvidence& evidence, const std::string& name);

/// The timed metrics of a case whose samples COUNTED judges as counts.
std::vector<const record::Metric*> samples_of_counts(const record::Case& definition,
                                                     const std::vector<Judged>& counted);

/// Counts without one value in BEFORE (then they are exact metrics), and whose values of both sides have no overlap: "p.Bind-8 allocated_bytes (8000 to 8001
/// before, 1000 to 1001 now)". COUNTED: what was judged of the case; not of what it compares.
std::vector<std::string> varying_counts(const CaseEvidence& before, const CaseEvidence& after,
                                        const std::vector<Judged>& counted);

}  // namespace torchgate::gate
