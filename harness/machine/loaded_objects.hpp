// SPDX-License-Identifier: Apache-2.0
// Which files this process runs: the executable and every shared library mapped into it. Called inside a suite process.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/record/process.hpp"

namespace torchgate::machine {

/// The calling process's loaded objects in load order, the executable first; sha256 is left empty (the launcher fills
/// it in). Paths are canonical. The kernel's vdso is left out, since it is not a file. An object whose file was
/// removed has 0 bytes. Call it after the work, so that libraries opened on demand are included.
std::vector<record::LoadedObject> loaded_objects();

/// Belongs to the operating system: below /lib, /lib64, /usr/lib, /usr/lib64 (not /usr/local).
bool is_system_path(const std::filesystem::path& path);

}  // namespace torchgate::machine
