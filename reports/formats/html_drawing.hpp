// SPDX-License-Identifier: Apache-2.0
// Drawings of a finding as SVG: made with the page, readable without a script and by a screen reader (title and description).
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// Of a drawing of values and of that of a history, in their units: a drawing is as wide as its place.
inline constexpr double drawing_width = 720;
inline constexpr double drawing_left = 60;
inline constexpr double drawing_right = 700;

/// Both sides of a timed finding on one axis: the processes as dots over the density of the samples, and below the interval of the change
/// with the gate and the margin. Empty where nothing of it is known.
std::string comparison_svg(const Finding& finding, const Report& report);

}  // namespace torchgate::reports
