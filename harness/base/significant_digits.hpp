// SPDX-License-Identifier: Apache-2.0
// How many digits a number was given with.
#pragma once

#include <cstddef>

namespace torchgate::base {

/// Without zeros at the end: 4 of 12.31, 0.001231 and 1231, 2 of 1200 (1.2 us in ns), 1 of 2e30, 0 of 0, NaN and infinity. At
/// most 15: a change of units (0.012 s * 1e9) leaves rounding behind them. The sign does not count.
std::size_t significant_digits(double value);

}  // namespace torchgate::base
