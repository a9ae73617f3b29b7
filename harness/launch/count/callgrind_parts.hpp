// SPDX-License-Identifier: Apache-2.0
// All that the processes of a job wrote for Callgrind: of those that were told when to write, and of programs that they started.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/count/callgrind_file.hpp"
#include "harness/launch/count/process_count.hpp"

namespace torchgate::launch {

struct CallgrindParts {
  std::vector<CallgrindPart> numbered;       ///< that a process wrote when it was told to
  std::vector<CallgrindPart> of_other_ones;  ///< all of a process that was never told to: a program that a case starts
  bool some_killed = false;                  ///< of those: what they executed is not known
};

/// What the processes of a job have written below FOLDER, in their order.
base::Result<CallgrindParts> read_parts(const std::filesystem::path& folder);

/// Adds the functions of programs that a case starts to those of its set-up in COUNT: in which call they ran is not known.
void add_programs(const CallgrindParts& parts, ProcessCount& count);

}  // namespace torchgate::launch
