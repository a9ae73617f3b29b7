// SPDX-License-Identifier: Apache-2.0
// pyperf's JSON (-o, --output), format 1.0: a suite of benchmarks, each measured by worker processes. A run with values is
// one process of its benchmark; runs that only calibrate have none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_pyperf(std::string_view head);

/// The processes in TEXT. bad_input names the place.
base::Result<std::vector<ImportedProcess>> read_pyperf(std::string_view text, const std::string& where);

}  // namespace torchgate::import
