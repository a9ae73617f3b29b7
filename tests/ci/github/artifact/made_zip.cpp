// SPDX-License-Identifier: Apache-2.0
#include "tests/ci/github/artifact/made_zip.hpp"

#include <zlib.h>

#include <stdexcept>

namespace torchgate::github::testing {
namespace {

std::string local_part(const MadeEntry& entry, const std::string& packed, std::uint32_t crc) {
  const bool later = (entry.flags & with_descriptor) != 0;
  const std::string& name = entry.local_name.value_or(entry.name);
  const auto size = static_cast<std::uint32_t>(entry.content.size());
  const auto packed_size = static_cast<std::uint32_t>(packed.size());
  std::string bytes = "PK\x03\x04" + number(20, 2) + number(entry.local_flags.value_or(entry.flags), 2) +
                      number(entry.local_method.value_or(entry.method), 2) + number(0, 4) +
                      number(entry.local_crc.value_or(later ? 0 : crc), 4) +
                      number(entry.local_packed_size.value_or(later ? 0 : entry.packed_size.value_or(packed_size)), 4) +
                      number(entry.local_size.value_or(later ? 0 : entry.size.value_or(size)), 4) +
                      number(name.size(), 2) + number(entry.local_extra.size(), 2) + name + entry.local_extra + packed;
  if (later)
    bytes +=
        entry.descriptor.value_or("PK\x07\x08" + number(crc, 4) + number(entry.packed_size.value_or(packed_size), 4) +
                                  number(entry.size.value_or(size), 4));
  return bytes + entry.after;
}

std::string central_part(const MadeEntry& entry, const std::string& packed, std::uint32_t crc, std::size_t offset) {
  constexpr std::uint16_t made_by_unix = 3U << 8U | 30U;
  return "PK\x01\x02" + number(made_by_unix, 2) + number(20, 2) + number(entry.flags, 2) + number(entry.method, 2) +
         number(0, 4) + number(crc, 4) + number(entry.packed_size.value_or(packed.size()), 4) +
         number(entry.size.value_or(entry.content.size()), 4) + number(entry.name.size(), 2) +
         number(entry.central_extra.size(), 2) + number(entry.comment.size(), 2) + number(0, 4) +
         number(entry.external, 4) + number(entry.offset.value_or(offset), 4) + entry.name + entry.central_extra +
         entry.comment;
}

std::string packed_of(const MadeEntry& entry) {
  if (entry.packed) return *entry.packed;
  return entry.method == 8 ? deflated(entry.content) : entry.content;
}

}  // namespace

std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i, value >>= 8U) text += static_cast<char>(value & 0xffU);
  return text;
}

std::string extra(std::uint16_t id, const std::string& content) {
  return number(id, 2) + number(content.size(), 2) + content;
}

std::uint32_t crc_of(const std::string& content) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

std::string deflated(const std::string& content) {
  z_stream stream{};
  constexpr int best = 9;
  constexpr int memory = 8;
  if (deflateInit2(&stream, best, Z_DEFLATED, -MAX_WBITS, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

MadeEntry entry(std::string name, std::string content) {
  MadeEntry made;
  made.name = std::move(name);
  made.content = std::move(content);
  return made;
}

std::string zip_of(std::vector<MadeEntry> entries) {
  MadeZip zip;
  zip.entries = std::move(entries);
  return bytes_of(zip);
}

std::string zip64_end(std::uint64_t entries, std::uint64_t directory_bytes, std::uint64_t directory_offset) {
  return "PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) + number(entries, 8) +
         number(entries, 8) + number(directory_bytes, 8) + number(directory_offset, 8) + "PK\x06\x07" + number(0, 4) +
         number(directory_offset + directory_bytes, 8) + number(1, 4);
}

std::string bytes_of(const MadeZip& zip) {
  std::string bytes = zip.before;
  std::string directory;
  for (const MadeEntry& entry : zip.entries) {
    const std::string packed = packed_of(entry);
    const std::uint32_t crc = entry.crc.value_or(crc_of(entry.content));
    directory += central_part(entry, packed, crc, bytes.size());
    if (!entry.central_only) bytes += local_part(entry, packed, crc);
  }
  const std::size_t offset = bytes.size();
  const std::size_t count = zip.count.value_or(zip.entries.size());
  bytes += directory + zip.before_end + "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) +
           number(zip.directory_bytes.value_or(directory.size()), 4) +
           number(zip.directory_offset.value_or(offset), 4) + number(zip.comment.size(), 2) + zip.comment;
  return bytes + zip.after_end;
}

}  // namespace torchgate::github::testing
