// SPDX-License-Identifier: Apache-2.0
// What:    whether the level changes of a history are parts of one slow rise or fall.
// Assumes: as change_point.hpp.
// Source:  least squares: a straight line through all values, with two numbers, leaves a smaller sum of squares than the means of the levels,
//          which have at least three. No test: that the values differ is what the level changes say.
// Checked: tests/stats/slow_change_test.cpp, with numpy's polyfit and with made histories
#pragma once

#include <optional>
#include <span>

#include "stats/change_point.hpp"

namespace torchgate::stats {

/// The change along the line from the first value to the last, log units. None without level changes, and where levels describe the values
/// better. REQUIRES: FOUND is of these values.
std::optional<double> slow_change(std::span<const double> log_values, const ChangePoints& found);

}  // namespace torchgate::stats
