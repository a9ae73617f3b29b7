// SPDX-License-Identifier: Apache-2.0
// The extra fields of a header (section 4.5). Only zip64's means something here: numbers that do not fit into 32 bits, which no
// entry within the limits has, but which streaming writers reserve anyway.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::github {

/// The content of the zip64 field in EXTRA, absent if there is none. Fields of times and users are ignored. bad_input if the
/// fields do not fill EXTRA, for two zip64 fields, and for a Unicode path (another name than the one that was checked).
base::Result<std::optional<std::string_view>> zip64_field(std::string_view extra);

/// Replaces each of VALUES that stands for a number in the zip64 field. The field has these numbers only, or (archiver) all, in
/// the order of VALUES; then the others have to agree. False if it has neither.
bool widen(std::optional<std::string_view> zip64, std::span<std::uint64_t> values);

}  // namespace torchgate::github
