// SPDX-License-Identifier: Apache-2.0
// A calibration of part of the cases keeps what the one before it knows of the others: the gate reads the newest alone.
#pragma once

#include <cstddef>

#include "harness/record/calibration.hpp"

namespace torchgate::calibrate {

struct CarriedOver {
  std::size_t kept = 0;     ///< cases that were added
  std::size_t dropped = 0;  ///< cases of another GPU, or of a device that is not known while the GPU differs
};

/// Adds to MEASURED the cases that only EARLIER has, with the time of their calibration, and the values of a case that only EARLIER knows; the
/// typical run-to-run SD becomes the median over all cases. Spreads of instructions are kept unless MEASURED counted with another counter. Of
/// another GPU's calibration only the cases of the CPU are added.
///
/// REQUIRES: both are of one host.
CarriedOver carry_over(record::Calibration& measured, const record::Calibration& earlier);

}  // namespace torchgate::calibrate
