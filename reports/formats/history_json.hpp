// SPDX-License-Identifier: Apache-2.0
// The history of a case as JSON: schema torchgate.history/1 (README).
#pragma once

#include <string>

#include "reports/history.hpp"

namespace torchgate::reports {

/// Numbers unrounded, unknown ones null, text in ASCII with escapes.
std::string render_history_json(const History& history);

}  // namespace torchgate::reports
