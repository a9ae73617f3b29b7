// SPDX-License-Identifier: Apache-2.0
// The first page of a site: what became slower in the last days, who may have done it, whether it still is; then what became faster, and the
// suites of each host.
#pragma once

#include <cstddef>
#include <string>

#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// Rows of both tables; of the others there is a number.
inline constexpr std::size_t most_slower_rows = 20;
inline constexpr std::size_t most_faster_rows = 8;

std::string index_page(const Site& site);

}  // namespace torchgate::reports
