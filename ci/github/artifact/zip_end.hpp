// SPDX-License-Identifier: Apache-2.0
// The records at the end of a zip file: where its directory is.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::github {

struct ZipEnd {
  std::uint64_t entries = 0;  ///< at most max_artifact_entries
  std::uint64_t directory_offset =
      0;  ///< of the central directory, which lies inside the file and ends where the end records begin
  std::uint64_t directory_bytes = 0;
};

/// The end record has to be the last bytes of the file (no comment, no trailing bytes): readers that search for it backwards and
/// readers that search forwards then find the same one. A zip64 end record may stand before it (Info-ZIP writes one for every
/// zip file it streams); its numbers have to agree with those of the end record. bad_input otherwise.
base::Result<ZipEnd> read_zip_end(std::string_view zip);

}  // namespace torchgate::github
