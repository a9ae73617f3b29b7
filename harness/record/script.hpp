// SPDX-License-Identifier: Apache-2.0
// A process that ran a script: its interpreter and libraries are among its objects, its code is not.
#pragma once

#include "harness/record/process.hpp"

namespace torchgate::record {

/// Process::files_unknown of a script.
inline constexpr const char* code_in_files = "it is a script: its code is in files that it reads";

inline bool is_script(const Process& process) {
  return process.files_unknown == code_in_files;
}

}  // namespace torchgate::record
