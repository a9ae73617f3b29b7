// SPDX-License-Identifier: Apache-2.0
// The report of a suite process to torchgate: its cases, or the results of one group.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/bench/program/suite_options.hpp"
#include "harness/bench/run/backend.hpp"
#include "harness/bench/run/group_cases.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// Every group and case, the skipped ones with their reason, and an estimate of the time of one process of each.
record::ProcessReport list_report(const std::string& suite, const std::vector<GroupCases>& groups,
                                  const Backend& backend, const SuiteOptions& options);

/// Measures one group's cases that match the filter, in an order drawn from the seed. bad_input: unknown group, or an
/// invalid filter.
base::Result<record::ProcessReport> measure_report(const std::string& suite, const std::vector<GroupCases>& groups,
                                                   Backend& backend, const SuiteOptions& options, Clock& clock);

}  // namespace torchgate::bench
