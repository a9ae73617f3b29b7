// SPDX-License-Identifier: Apache-2.0
// Standard input, output and errors: made safe at the start, and checked at the end, so that lost output is an error.
#pragma once

#include "ci/cli/console.hpp"

namespace torchgate::cli {

/// Call first in main(). A descriptor that the caller closed (`>&-`) is taken, so that no file that is opened later gets its
/// number and our text: nothing can be written to it, as before. A pipe whose reader has gone (`| head`) no longer ends the
/// program in the middle: its files are written, its work trees removed.
void prepare_standard_streams();

/// CODE, or ExitCode::error and a line on err where something that was printed to out did not get there: a full disk, a
/// closed descriptor. A reader that closed the pipe early is not an error.
ExitCode with_output_written(const Console& console, ExitCode code);

}  // namespace torchgate::cli
