// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/zip_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ci/github/artifact/artifact_limits.hpp"
#include "ci/github/artifact/artifact_name.hpp"
#include "ci/github/artifact/zip_end.hpp"
#include "ci/github/artifact/zip_extra.hpp"
#include "ci/github/artifact/zip_fields.hpp"
#include "ci/github/artifact/zip_local.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

// Section 4.3.12.
constexpr std::uint64_t central_signature = 0x02014b50;
constexpr std::uint64_t central_bytes = 46;

// The upper half of the external attributes is st_mode if a Unix program wrote the entry, the lower half are those of DOS and
// Windows. Whichever of them a reader uses, the entry is a regular file: neither a folder, a volume label, nor a reparse point.
constexpr std::uint64_t mode_type = 0170000;
constexpr std::uint64_t mode_regular = 0100000;
constexpr std::uint64_t dos_of_files = 0x01 | 0x02 | 0x04 | 0x20 | 0x80;  // read-only, hidden, system, archive, normal

base::Result<void> check_attributes(std::uint64_t external) {
  const std::uint64_t type = (external >> 16U) & mode_type;
  const std::uint64_t dos = external & 0xffffU;
  if ((type == 0 || type == mode_regular) && (dos & ~dos_of_files) == 0) return {};
  return refused("not a regular file (a link, folder or device); save the files themselves");
}

base::Result<void> check_sizes(const ZipEntry& entry) {
  if (entry.method == ZipMethod::stored && entry.packed_bytes != entry.inflated_bytes)
    return refused("stored, but its two sizes differ");
  if (entry.inflated_bytes > max_inflated_bytes)
    return refused(fmt::format("declares {} bytes, more than the limit of {} for all files together",
                               entry.inflated_bytes, max_inflated_bytes));
  // Divided, since a product of two sizes from the file could overflow.
  if (entry.inflated_bytes / max_inflation_ratio > entry.packed_bytes ||
      entry.inflated_bytes > entry.packed_bytes * max_inflation_ratio)
    return refused(fmt::format("declares {} bytes in {} compressed ones, beyond the limit of {} to 1",
                               entry.inflated_bytes, entry.packed_bytes, max_inflation_ratio));
  return {};
}

// Of HEADER, whose name ENTRY has already.
base::Result<void> read_header(std::string_view header, std::string_view extra, ZipEntry& entry) {
  if (!is_artifact_name(entry.name))
    return refused("name not allowed in an artifact; only " + std::string(artifact_names));
  const std::uint64_t flags = field16(header, 8);
  if (auto checked = check_zip_flags(flags); !checked) return checked.error();
  entry.has_descriptor = (flags & descriptor_flag) != 0;
  const std::uint64_t method = field16(header, 10);
  if (method != static_cast<std::uint64_t>(ZipMethod::stored) &&
      method != static_cast<std::uint64_t>(ZipMethod::deflated))
    return refused(fmt::format("compression method {}; only stored (0) and deflate (8) are supported", method));
  entry.method = static_cast<ZipMethod>(method);
  if (auto checked = check_attributes(field32(header, 38)); !checked) return checked.error();
  if (field16(header, 34) != 0) return refused("on another disk");
  const auto zip64 = zip64_field(extra);
  if (!zip64) return zip64.error();
  std::array sizes{field32(header, 24), field32(header, 20), field32(header, 42)};
  if (!widen(*zip64, sizes)) return refused("its zip64 field contradicts its header");
  entry.crc = field<std::uint32_t>(header, 16);
  entry.inflated_bytes = sizes[0], entry.packed_bytes = sizes[1], entry.offset = sizes[2];
  return check_sizes(entry);
}

// The first entry of DIRECTORY, which is without it afterwards.
base::Result<ZipEntry> take_entry(std::string_view& directory, std::uint64_t number) {
  const std::string where = fmt::format("entry {}", number);
  const auto header = slice(directory, 0, central_bytes);
  if (!header || field32(*header, 0) != central_signature)
    return refused("no header in the central directory").within(where);
  const auto name = slice(directory, central_bytes, field16(*header, 28));
  const auto extra = name ? slice(directory, central_bytes + name->size(), field16(*header, 30)) : std::nullopt;
  if (!extra || field16(*header, 32) != 0) return refused("truncated, or with a comment").within(where);
  ZipEntry entry;
  entry.name = *name;
  if (auto read = read_header(*header, *extra, entry); !read)
    return read.error().within(where + " " + base::in_quotes(entry.name));
  directory.remove_prefix(central_bytes + name->size() + extra->size());
  return entry;
}

base::Result<void> check_together(const std::vector<ZipEntry>& entries) {
  std::set<std::string_view> names;
  std::uint64_t inflated_bytes = 0;  // cannot overflow: at most max_artifact_entries times max_inflated_bytes
  for (const ZipEntry& entry : entries) {
    if (!names.insert(entry.name).second) return refused("duplicate entry " + base::in_quotes(entry.name));
    inflated_bytes += entry.inflated_bytes;
  }
  if (inflated_bytes > max_inflated_bytes)
    return refused(fmt::format("declares {} bytes in all files together, more than the limit of {}", inflated_bytes,
                               max_inflated_bytes));
  return {};
}

// The entries fill CONTENT, the file before its directory, without gaps and overlaps: each ends where the next one begins.
base::Result<void> find_contents(std::string_view content, std::vector<ZipEntry>& entries) {
  std::vector<ZipEntry*> by_offset;
  by_offset.reserve(entries.size());
  for (ZipEntry& entry : entries) by_offset.push_back(&entry);
  std::sort(by_offset.begin(), by_offset.end(),
            [](const ZipEntry* left, const ZipEntry* right) { return left->offset < right->offset; });
  if (by_offset.front()->offset != 0) return refused("bytes before the first entry");
  for (std::size_t i = 0; i < by_offset.size(); ++i) {
    ZipEntry& entry = *by_offset[i];
    const std::uint64_t end = i + 1 < by_offset.size() ? by_offset[i + 1]->offset : content.size();
    const auto region = slice(content, entry.offset, end - entry.offset);
    if (!region) return refused("outside of the file").within("entry " + base::in_quotes(entry.name));
    const auto packed = local_content(*region, entry);
    if (!packed) return packed.error().within("entry " + base::in_quotes(entry.name));
    entry.packed = *packed;
  }
  return {};
}

}  // namespace

base::Result<std::vector<ZipEntry>> read_zip_directory(std::string_view zip) {
  const auto end = read_zip_end(zip);
  if (!end) return end.error();
  auto directory = *slice(zip, end->directory_offset, end->directory_bytes);
  std::vector<ZipEntry> entries;
  entries.reserve(end->entries);
  while (entries.size() < end->entries) {
    auto entry = take_entry(directory, entries.size() + 1);
    if (!entry) return entry.error();
    entries.push_back(std::move(entry).value());
  }
  if (!directory.empty()) return refused("bytes after the last entry of the central directory");
  if (auto checked = check_together(entries); !checked) return checked.error();
  if (auto found = find_contents(*slice(zip, 0, end->directory_offset), entries); !found) return found.error();
  return entries;
}

}  // namespace torchgate::github
