// SPDX-License-Identifier: Apache-2.0
// The claims of a report as sections of a Markdown document.
#pragma once

#include "reports/fit.hpp"
#include "reports/overview.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// A table of those that do not hold.
Section markdown_broken_claims(const Overview& overview);

/// The others, folded. Those that the profile of the run did not measure are one line.
Section markdown_other_claims(const Report& report, const Overview& overview);

}  // namespace torchgate::reports
