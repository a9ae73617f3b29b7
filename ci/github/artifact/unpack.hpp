// SPDX-License-Identifier: Apache-2.0
// Unpacking the artifact of an untrusted job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "harness/base/result.hpp"

namespace torchgate::github {

struct Unpacked {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

/// Unpacks ZIP into FOLDER, which must not exist or be empty. FOLDER appears with all files or not at all: they are written into
/// a temporary folder beside it, which is renamed at the end and removed after an error. Files are regular, new, and 0644
/// less the umask whatever the zip file asks for. bad_input, naming entry and limit, for everything that read_zip_directory
/// and inflate_entry refuse and for files above max_artifact_bytes; not_found and io as the system reports them.
base::Result<Unpacked> unpack(const std::filesystem::path& zip, const std::filesystem::path& folder);

}  // namespace torchgate::github
