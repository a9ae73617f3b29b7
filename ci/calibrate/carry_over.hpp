// SPDX-License-Identifier: Apache-2.0
// A calibration of part of the cases keeps what the one before it knows of the others: the gate reads the newest alone.
#pragma once

#include <cstddef>

#include "harness/record/calibration.hpp"

namespace torchgate::calibrate {

/// Adds to MEASURED the cases that only EARLIER has, and the values of a case that only EARLIER knows; the typical run-to-run SD becomes the
/// median over all cases. Spreads of instructions are kept unless MEASURED counted with another counter. Nothing is added from another GPU's. Returns how many cases were added.
///
/// REQUIRES: both are of one host.
std::size_t carry_over(record::Calibration& measured, const record::Calibration& earlier);

}  // namespace torchgate::calibrate
