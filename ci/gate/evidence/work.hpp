// SPDX-License-Identifier: Apache-2.0
// Work is part of a time: rates and other metrics that a case declares (record::Metric::judged), and how much work a call does. A rate
// of the same work says what the time says; it is judged where the work changed, or where it differs from call to call, as in a benchmark
// that runs for a fixed time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// All processes of both sides do the same work per call by RATE: it is the reciprocal of the time, and judging it would judge the time
/// twice. Of a metric where lower is better: it is the same multiple of the time everywhere. The CPU time will do as well where it is judged,
/// or did not become worse than the time. A rate that is per another clock on each side counts as the work that each clock says; the CPU
/// time of other threads is not judged.
bool follows_the_time(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& rate,
                      const policy::CaseSettings& policy_of_case);

/// Both sides know of which clock METRIC is, or what it is per, and it is not the same. METRIC is that of the after side.
bool clocks_differ(const CaseEvidence& before, const record::Metric& metric);

/// What a number that is of CPU time says beside the times: "is per CPU time: +20.0 % cpu_time, -50.0 % time"; absent: it is not.
std::optional<facts::Fact> about_clock(const CaseEvidence& before, const CaseEvidence& after,
                                       const record::Metric& metric);

/// "BM_a (cpu_time +100.0 %)": timed metrics that nothing judges and that got worse by the gate of the case, by so much more than the primary one,
/// and in every process. JUDGED: what is judged of the case. Of a CPU time only where its tool says which one it is, and no judged metric is of it.
std::vector<std::string> worse_unjudged(const CaseEvidence& before, const CaseEvidence& after,
                                        const policy::CaseSettings& policy_of_case,
                                        const std::vector<const record::Metric*>& judged);

/// The metrics that a case declares and the policy does not name: as many as judged_rates() may have, whatever is measured.
std::vector<const record::Metric*> may_be_judged(const record::Case& definition,
                                                 const policy::CaseSettings& policy_of_case);

/// The metrics of a case that are judged beside the primary one although the policy does not name them: those that it declares on either side
/// and that do not follow the time. Of one side by itself: BEFORE and AFTER are the same.
std::vector<const record::Metric*> judged_rates(const CaseEvidence& before, const CaseEvidence& after,
                                                const policy::CaseSettings& policy_of_case);

/// "does twice the work per call: +80.0 % time, +11.1 % bytes_per_second"; absent: the same work, or it is not known.
std::optional<facts::Fact> other_work(const CaseEvidence& before, const CaseEvidence& after);

}  // namespace torchgate::gate
