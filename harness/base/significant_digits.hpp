// SPDX-License-Identifier: Apache-2.0
// How many digits a number was given with.
#pragma once

#include <cstddef>

namespace torchgate::base {

/// Of the shortest decimal text that gives VALUE back: 4 of 12.31, 0.001231, 1231 and 1200, 1 of 2e30, 0 of 0. The sign does not count.
std::size_t significant_digits(double value);

}  // namespace torchgate::base
