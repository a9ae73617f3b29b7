// SPDX-License-Identifier: Apache-2.0
// Zip files written field by field, so that each field can be a lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchgate::github::testing {

inline constexpr std::uint16_t with_descriptor = 1U << 3U;
inline constexpr std::uint32_t regular_file = 0100644U << 16U;

/// Little-endian.
std::string number(std::uint64_t value, std::size_t bytes);

/// An extra field.
std::string extra(std::uint16_t id, const std::string& content);

/// Raw deflate, as in a zip file.
std::string deflated(const std::string& content);

std::uint32_t crc_of(const std::string& content);

/// An ordinary entry, but for the members that are set.
struct MadeEntry {
  std::string name;
  std::string content;
  std::uint16_t method = 8;
  std::uint16_t flags = 0;
  std::uint32_t external = regular_file;
  std::string local_extra = {};
  std::string central_extra = {};
  std::optional<std::string> packed = {};
  std::optional<std::uint32_t> crc = {};  ///< in all places
  std::optional<std::uint32_t> size = {}, packed_size = {};
  std::optional<std::uint32_t> local_crc = {}, local_size = {}, local_packed_size = {};
  std::optional<std::string> local_name = {};
  std::optional<std::uint16_t> local_method = {}, local_flags = {};
  std::optional<std::string> descriptor = {};
  std::optional<std::uint32_t> offset = {};
  std::string comment = {};
  std::string after = {};     ///< bytes that belong to nothing
  bool central_only = false;  ///< no local header and content of its own
};

struct MadeZip {
  std::vector<MadeEntry> entries;
  std::string before = {};      ///< the first entry
  std::string before_end = {};  ///< zip64 records
  std::string after_end = {};
  std::string comment = {};
  std::optional<std::uint16_t> count = {};
  std::optional<std::uint32_t> directory_bytes = {}, directory_offset = {};
};

std::string bytes_of(const MadeZip& zip);

inline const std::string json = R"({"schema":"torchgate.run/1"})";
inline const std::string samples_name = std::string(64, 'a') + ".samples";

/// An ordinary entry.
MadeEntry entry(std::string name, std::string content = json);

/// MADE with one thing changed.
template <class Change>
MadeEntry but(MadeEntry made, Change change) {
  change(made);
  return made;
}

/// An ordinary zip file of ENTRIES.
std::string zip_of(std::vector<MadeEntry> entries);

/// What bytes_of() writes before the end record, with the numbers of ZIP unless they are lies.
std::string zip64_end(std::uint64_t entries, std::uint64_t directory_bytes, std::uint64_t directory_offset);

}  // namespace torchgate::github::testing
