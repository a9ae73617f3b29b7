// SPDX-License-Identifier: Apache-2.0
// The whole report as JSON: schema "torchgate.report/1", described in reports/README.md.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// Every field of the model under its own name, unrounded. What is unknown is null; a key is never missing. ASCII only.
std::string render_json(const Report& report);

}  // namespace torchgate::reports
