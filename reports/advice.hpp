// SPDX-License-Identifier: Apache-2.0
// What the reader can do about a report.
#pragma once

#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// Most useful first. Our own text, in which `backticks` mark a command.
std::vector<std::string> next_steps(const Report& report);

}  // namespace torchgate::reports
