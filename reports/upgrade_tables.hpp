// SPDX-License-Identifier: Apache-2.0
// The words and tables of an upgrade, once for every format a person reads.
#pragma once

#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/table.hpp"
#include "reports/upgrade.hpp"

namespace torchgate::reports {

/// "LibTorch 2.11.0 -> 2.15.0 on the same code". Untrusted: versions.
std::string upgrade_title(const Upgrade& upgrade, const Format& format);

/// What it comes to: times, results, operators; and what of it is not known. Trusted.
std::vector<std::string> upgrade_sentences(const Upgrade& upgrade, const Format& format);

/// By suite, by operator, and cases with another result. None without rows.
std::vector<Table> upgrade_tables(const Upgrade& upgrade, const Format& format);

/// "5 slower, 12 faster, 60 equal, 21 undecided; geometric mean +1.20 %".
std::string group_counts(const CaseGroup& group, const Format& format);

}  // namespace torchgate::reports
