// SPDX-License-Identifier: Apache-2.0
// How the raw samples of both sides are spread, for drawings. No verdict rests on it.
#pragma once

#include <optional>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::gate {

/// Bins of a drawing that is 700 pixels wide: narrower ones would show single samples.
inline constexpr std::size_t shape_bins = 48;

/// The samples of both sides in bins of equal width, from their 0.5 % to their 99.5 % quantile and so that every process value is inside:
/// a single stalled sample would leave one bin for all the others. Absent where a side has fewer samples than bins or they are all equal.
std::optional<reports::SampleShape> sample_shape(const std::vector<double>& before, const std::vector<double>& after,
                                                 const std::vector<double>& process_values);

}  // namespace torchgate::gate
