// SPDX-License-Identifier: Apache-2.0
// Whether what a process reports of a case is a measurement at all. A time of 0 ns has no logarithm and no ratio; no rule
// could ever flag it, and so it must not count as a number. Nor must one of an output that its own check refused.
#pragma once

#include <optional>
#include <string>

#include "harness/record/case.hpp"
#include "harness/record/process.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Why RESULT, which calls itself ok, has no usable numbers of METRIC: none at all, a time that is not positive, or a
/// value that no machine measures. Absent when it has.
std::optional<facts::Fact> unusable_because(const record::CaseResult& result, const record::Metric& metric);

/// The same of the case's primary metric, of which AT_ONCE calls ran at the same time (go_cpus.hpp); absent where it has none.
std::optional<facts::Fact> unusable_because(const record::CaseResult& result, const record::Case& definition,
                                            int at_once = 1);

/// A list of values of github-action-benchmark has a time, or a time per work, of 0: it was rounded to its unit. It is not usable, but where both
/// sides have it in every process they are equal.
bool is_below_resolution(const record::CaseResult& result, const record::Case& definition);

/// What RESULT, which calls itself ok, says of its own output or code path that makes it a wrong one. Absent: nothing.
std::optional<std::string> wrong_because(const record::CaseResult& result);

}  // namespace torchgate::gate
