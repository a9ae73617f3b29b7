// SPDX-License-Identifier: Apache-2.0
// What stands before and after the content of an entry: the local header and the data descriptor. Readers that stream a zip
// file obey them instead of the central directory, so they have to say the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "ci/github/artifact/zip_entry.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

inline constexpr std::uint64_t descriptor_flag = 1U << 3U;

/// Of the general purpose flags (section 4.4.4), a data descriptor, the effort of deflate, and UTF-8 names are supported.
/// bad_input for all others: encryption in its three forms, patches.
base::Result<void> check_zip_flags(std::uint64_t flags);

/// The content of ENTRY in REGION, which reaches from its local header to the next one (or to the central directory). bad_input
/// if header, content and descriptor do not fill REGION, or contradict ENTRY.
base::Result<std::string_view> local_content(std::string_view region, const ZipEntry& entry);

}  // namespace torchgate::github
