// SPDX-License-Identifier: Apache-2.0
// An entry of a zip file, checked (zip_directory.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace torchgate::github {

enum class ZipMethod : std::uint8_t { stored = 0, deflated = 8 };  // section 4.4.5

struct ZipEntry {
  std::string name;  ///< is_artifact_name(), and no other entry has it
  ZipMethod method = ZipMethod::stored;
  bool has_descriptor = false;  ///< CRC and sizes are after the content, because the writer did not know them before
  std::uint32_t crc = 0;        ///< CRC-32 of the inflated content
  std::uint64_t packed_bytes = 0;
  std::uint64_t inflated_bytes = 0;  ///< as declared; within the limits of artifact_limits.hpp, alone and together
  std::uint64_t offset = 0;          ///< of the local header
  std::string_view packed;           ///< stored or compressed content, a part of the zip file
};

}  // namespace torchgate::github
