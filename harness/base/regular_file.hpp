// SPDX-License-Identifier: Apache-2.0
// Opening a file whose name comes from an untrusted source.
#pragma once

#include <filesystem>

#include "harness/base/links.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/result.hpp"

namespace torchgate::base {

/// For reading, without waiting. bad_input if it is not a regular file: reading a FIFO may never return, and a device
/// never ends. A pipe of `<(command)` (/dev/fd/N) is refused too: formats are recognised by reading a file twice.
Result<PosixFile> open_regular(const std::filesystem::path& path, Links links);

}  // namespace torchgate::base
