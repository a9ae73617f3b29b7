// SPDX-License-Identifier: Apache-2.0
// Of how many cases a report knows something: judged at all, compared, and decided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// A rate, or what a case declares: its change is not that of the time.
bool judged_beside_primary(const Judged& judged);

/// A case is judged once, however many of its metrics are. COUNTS_ONLY: the rule judges counts, and no times.
std::int64_t cases_judged(const std::vector<Judged>& cases, bool counts_only);

/// UNCOUNTED: cases that both sides measured and of which the rule can compare nothing.
reports::Decided count_decided(const std::vector<Judged>& cases, const std::vector<std::string>& uncounted,
                               bool counts_only, double gate_ratio);

}  // namespace torchgate::gate
