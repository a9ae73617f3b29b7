// SPDX-License-Identifier: Apache-2.0
// Whether a file can be a program, by its first bytes: before it is hashed and started.
#pragma once

#include <filesystem>

#include "harness/base/result.hpp"

namespace torchgate::launch {

/// bad_input: FILE is not a regular file, or begins neither like an ELF program (executable or shared object, as a
/// position-independent program is one, too) nor with "#!"; not_found or io: it cannot be read. Reads a few bytes, whatever its
/// size.
base::Result<void> check_program(const std::filesystem::path& file);

}  // namespace torchgate::launch
