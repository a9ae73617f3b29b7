// SPDX-License-Identifier: Apache-2.0
// What a suite process tells torchgate: what there is, or what one group measured.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/bench/group.hpp"
#include "harness/bench/program/suite_options.hpp"
#include "harness/bench/run/backend.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// Every group and case, the skipped ones with their reason, and an estimate of what one process of each will take.
record::ProcessReport list_report(const std::string& suite, const std::vector<Group>& groups, const Backend& backend,
                                  const SuiteOptions& options);

/// Measures one group's cases that match the filter, in an order drawn from the seed. bad_input: no such group, or the
/// filter is no regular expression.
base::Result<record::ProcessReport> measure_report(const std::string& suite, const std::vector<Group>& groups,
                                                   Backend& backend, const SuiteOptions& options, Clock& clock);

}  // namespace torchgate::bench
