// SPDX-License-Identifier: Apache-2.0
// One measurement in two files that are not copies byte for byte: as JSON and as CSV, in other units, or cut off.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// Two of FILES with the same values of all cases that both have, as far as both have digits of them, and with more digits than chance repeats.
/// Only files of one process each are looked at: launches and lines of one file have few digits. Absent: there are none.
std::optional<std::pair<std::string, std::string>> same_measurement(
    const std::vector<const std::vector<ImportedProcess>*>& files);

}  // namespace torchgate::import
