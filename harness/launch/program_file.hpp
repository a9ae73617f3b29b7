// SPDX-License-Identifier: Apache-2.0
// What a file is as a program, by its first bytes: whether it can be one, before it is hashed and started, and whether it is a script.
#pragma once

#include <filesystem>

#include "harness/base/result.hpp"

namespace torchgate::launch {

/// bad_input: FILE is not a regular file, or begins neither like an ELF program (executable or shared object, as a
/// position-independent program is one, too) nor with "#!"; not_found or io: it cannot be read. Reads a few bytes, whatever its
/// size.
base::Result<void> check_program(const std::filesystem::path& file);

/// Whether FILE is a script whose interpreter is RAN, the executable that the kernel named when FILE had been started. Not a script that became
/// another program (`exec`). With env, RAN has the name that env looked for, or begins with it ("python3" is python3.11).
bool is_script_of(const std::filesystem::path& file, const std::filesystem::path& ran);

}  // namespace torchgate::launch
