// SPDX-License-Identifier: Apache-2.0
// The outputs of a case in a file, for another process of this program on this machine.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/bench/output.hpp"

namespace torchgate::bench {

/// Of the first calls of a case, in their order.
using Outputs = std::vector<Output>;

/// Every bit of the values is kept. io if the file could not be written.
base::Result<void> write_outputs(const std::string& path, const Outputs& outputs);

/// The file is not an input of this process: it is noted as its own. io if it could not be read; bad_input if it was not written completely.
base::Result<Outputs> read_outputs(const std::string& path);

}  // namespace torchgate::bench
