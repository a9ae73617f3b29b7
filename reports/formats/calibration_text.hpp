// SPDX-License-Identifier: Apache-2.0
// A calibration as text: the parts of this machine's noise, the smallest detectable change, and the false alarms of each rule.
#pragma once

#include <cstddef>
#include <string>

#include "harness/record/calibration.hpp"
#include "reports/format.hpp"

namespace torchgate::reports {

/// One line per case, the noisiest first, and one per rule. Names are made safe for a terminal.
std::string calibration_text(const record::Calibration& calibration, Notation notation, std::size_t width = 120);

}  // namespace torchgate::reports
