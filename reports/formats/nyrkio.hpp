// SPDX-License-Identifier: Apache-2.0
// JSON lines as TigerBeetle's devhub keeps them and Nyrkiö and Apache Otava read them: {timestamp, metrics, attributes}.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// One line, for the new side: its time, a metric per case with unit and direction, and its commit. Apache Otava's JSON importer takes
/// a list of such lines.
std::string render_nyrkio(const Report& report);

}  // namespace torchgate::reports
