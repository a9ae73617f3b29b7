// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/zip_end.hpp"

#include <fmt/format.h>

#include "ci/github/artifact/artifact_limits.hpp"
#include "ci/github/artifact/zip_fields.hpp"

namespace torchgate::github {
namespace {

// Sections 4.3.14 to 4.3.16.
constexpr std::uint64_t end_signature = 0x06054b50;
constexpr std::uint64_t end_bytes = 22;
constexpr std::uint64_t locator_signature = 0x07064b50;
constexpr std::uint64_t locator_bytes = 20;
constexpr std::uint64_t end64_signature = 0x06064b50;
constexpr std::uint64_t end64_bytes = 56;             // version 1, without the extensible data sector
constexpr std::uint64_t end64_bytes_after_size = 44;  // its size field does not count signature and itself

bool agrees(std::uint64_t narrow, std::uint64_t stands_for_zip64, std::uint64_t wide) {
  return narrow == stands_for_zip64 || narrow == wide;
}

// ZIP without its end record, whose numbers END has. Afterwards ZIP is without its zip64 records, too.
base::Result<void> widen_end(std::string_view& zip, ZipEnd& end) {
  const auto locator = slice(zip, zip.size() - locator_bytes, locator_bytes);
  if (!locator || field32(*locator, 0) != locator_signature) return {};
  zip.remove_suffix(locator_bytes);
  const auto record = slice(zip, zip.size() - end64_bytes, end64_bytes);
  if (!record || field32(*record, 0) != end64_signature || field64(*record, 4) != end64_bytes_after_size)
    return refused("invalid zip64 end record; only the one of 56 bytes before its locator is supported");
  zip.remove_suffix(end64_bytes);
  const ZipEnd wide{field64(*record, 32), field64(*record, 48), field64(*record, 40)};
  const bool one_disk = field32(*locator, 4) == 0 && field32(*locator, 16) == 1 && field32(*record, 16) == 0 &&
                        field32(*record, 20) == 0 && field64(*record, 24) == wide.entries;
  if (!one_disk || field64(*locator, 8) != zip.size() || !agrees(end.entries, in_zip64_16, wide.entries) ||
      !agrees(end.directory_offset, in_zip64_32, wide.directory_offset) ||
      !agrees(end.directory_bytes, in_zip64_32, wide.directory_bytes))
    return refused("the zip64 end record contradicts the end record");
  end = wide;
  return {};
}

}  // namespace

base::Result<ZipEnd> read_zip_end(std::string_view zip) {
  const auto record = slice(zip, zip.size() - end_bytes, end_bytes);
  if (!record || field32(*record, 0) != end_signature || field16(*record, 20) != 0)
    return refused("not a zip file, or truncated, or with bytes or a comment after its end record");
  if (field16(*record, 4) != 0 || field16(*record, 6) != 0 || field16(*record, 8) != field16(*record, 10))
    return refused("a part of a zip file on several disks");
  ZipEnd end{field16(*record, 10), field32(*record, 16), field32(*record, 12)};
  zip.remove_suffix(end_bytes);
  if (auto widened = widen_end(zip, end); !widened) return widened.error();
  if (end.entries > max_artifact_entries)
    return refused(fmt::format("{} entries, more than the limit of {}", end.entries, max_artifact_entries));
  if (end.entries == 0) return refused("no entries; check that the job saved its results before it uploaded them");
  if (end.directory_offset > zip.size() || end.directory_bytes != zip.size() - end.directory_offset)
    return refused("the central directory does not end where the end record begins");
  return end;
}

}  // namespace torchgate::github
