// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/zip_local.hpp"

#include <fmt/format.h>

#include <array>

#include "ci/github/artifact/zip_extra.hpp"
#include "ci/github/artifact/zip_fields.hpp"

namespace torchgate::github {
namespace {

// Sections 4.3.7 and 4.3.9.
constexpr std::uint64_t local_signature = 0x04034b50;
constexpr std::uint64_t local_bytes = 30;
constexpr std::uint64_t descriptor_signature = 0x08074b50;
constexpr std::uint64_t descriptor_bytes = 16;
constexpr std::uint64_t descriptor64_bytes = 24;  // of an entry that may need zip64, whatever its size is

constexpr std::uint64_t encrypted_flags = 1U << 0U | 1U << 6U | 1U << 13U;
constexpr std::uint64_t supported_flags = 1U << 1U | 1U << 2U | descriptor_flag | 1U << 11U;

// The same for every entry that fails it: which of the two is right cannot be known.
base::Error contradiction(std::string_view what) {
  return refused(fmt::format("the {} contradicts the central directory", what));
}

bool describes(std::string_view descriptor, const ZipEntry& entry) {
  const bool wide = descriptor.size() == descriptor64_bytes;
  if (!wide && descriptor.size() != descriptor_bytes) return false;
  return field32(descriptor, 0) == descriptor_signature && field32(descriptor, 4) == entry.crc &&
         (wide ? field64(descriptor, 8) : field32(descriptor, 8)) == entry.packed_bytes &&
         (wide ? field64(descriptor, 16) : field32(descriptor, 12)) == entry.inflated_bytes;
}

base::Result<void> check_numbers(std::string_view header, std::string_view extra, const ZipEntry& entry) {
  const auto zip64 = zip64_field(extra);
  if (!zip64) return zip64.error();
  std::array sizes{field32(header, 22), field32(header, 18)};
  if (!widen(*zip64, sizes)) return contradiction("zip64 field of the local header");
  // With a descriptor they may be unknown, which is 0; some writers know one of them.
  const auto same = [&](std::uint64_t local, std::uint64_t central) {
    return local == central || (entry.has_descriptor && local == 0);
  };
  if (!same(field32(header, 14), entry.crc) || !same(sizes[0], entry.inflated_bytes) ||
      !same(sizes[1], entry.packed_bytes))
    return contradiction("CRC or size in the local header");
  return {};
}

}  // namespace

base::Result<void> check_zip_flags(std::uint64_t flags) {
  if ((flags & encrypted_flags) != 0) return refused("encrypted");
  if ((flags & ~supported_flags) != 0) return refused(fmt::format("unsupported flags {:#06x}", flags));
  return {};
}

base::Result<std::string_view> local_content(std::string_view region, const ZipEntry& entry) {
  const auto header = slice(region, 0, local_bytes);
  if (!header || field32(*header, 0) != local_signature) return refused("no local header, or overlaps another entry");
  const auto name = slice(region, local_bytes, field16(*header, 26));
  const auto extra = name ? slice(region, local_bytes + name->size(), field16(*header, 28)) : std::nullopt;
  if (!extra) return refused("overlaps another entry");
  const std::uint64_t flags = field16(*header, 6);
  if (auto checked = check_zip_flags(flags); !checked) return checked.error();
  if (*name != entry.name) return contradiction("name in the local header");
  if (field16(*header, 8) != static_cast<std::uint64_t>(entry.method) ||
      ((flags & descriptor_flag) != 0) != entry.has_descriptor)
    return contradiction("method or the flags in the local header");
  if (auto checked = check_numbers(*header, *extra, entry); !checked) return checked.error();
  const std::uint64_t begin = local_bytes + name->size() + extra->size();
  const auto packed = slice(region, begin, entry.packed_bytes);
  if (!packed) return refused("overlaps another entry");
  const std::string_view rest = region.substr(static_cast<std::size_t>(begin + packed->size()));
  if (entry.has_descriptor ? !describes(rest, entry) : !rest.empty())
    return entry.has_descriptor ? contradiction("data descriptor") : refused("bytes after its content");
  return *packed;
}

}  // namespace torchgate::github
