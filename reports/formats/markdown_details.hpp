// SPDX-License-Identifier: Apache-2.0
// The further numbers of listed findings, as one folded table, and the operators that changed, as another.
#pragma once

#include <cstddef>
#include <vector>

#include "reports/fit.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// Rows beyond LIMIT bytes are counted, not written.
std::vector<Section> markdown_details(const std::vector<const Finding*>& findings, std::size_t limit);

}  // namespace torchgate::reports
