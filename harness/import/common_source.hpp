// SPDX-License-Identifier: Apache-2.0
// The commit that the files of a run are of.
#pragma once

#include <string>
#include <vector>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// The same in all of them, or unknown. Where two are of different commits, WARNINGS names both: the run is then of several builds.
record::Source common_source(const std::vector<const ImportedProcess*>& processes, std::vector<std::string>& warnings);

}  // namespace torchgate::import
