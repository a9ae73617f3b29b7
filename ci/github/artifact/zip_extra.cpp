// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/zip_extra.hpp"

#include <algorithm>

#include "ci/github/artifact/zip_fields.hpp"

namespace torchgate::github {
namespace {

constexpr std::uint64_t zip64_id = 0x0001;
constexpr std::uint64_t unicode_path_id = 0x7075;
constexpr std::size_t extra_header_bytes = 4;
constexpr std::size_t number_bytes = 8;

}  // namespace

base::Result<std::optional<std::string_view>> zip64_field(std::string_view extra) {
  std::optional<std::string_view> found;
  while (!extra.empty()) {
    const auto header = slice(extra, 0, extra_header_bytes);
    const auto content = header ? slice(extra, extra_header_bytes, field16(*header, 2)) : std::nullopt;
    if (!content) return refused("invalid extra field");
    if (field16(*header, 0) == unicode_path_id) return refused("has a second name (a Unicode path field)");
    if (field16(*header, 0) == zip64_id) {
      if (found) return refused("two zip64 fields");
      found = content;
    }
    extra.remove_prefix(extra_header_bytes + content->size());
  }
  return found;
}

bool widen(std::optional<std::string_view> zip64, std::span<std::uint64_t> values) {
  const auto missing = static_cast<std::size_t>(std::count(values.begin(), values.end(), in_zip64_32));
  if (!zip64) return missing == 0;
  const bool all = zip64->size() == values.size() * number_bytes;
  if (!all && zip64->size() != missing * number_bytes) return false;
  std::size_t offset = 0;
  for (std::uint64_t& value : values) {
    if (!all && value != in_zip64_32) continue;
    const std::uint64_t wide = field64(*zip64, offset);
    offset += number_bytes;
    if (value != in_zip64_32 && value != wide) return false;
    value = wide;
  }
  return true;
}

}  // namespace torchgate::github
