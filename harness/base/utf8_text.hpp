// SPDX-License-Identifier: Apache-2.0
// Text of any usual encoding as UTF-8: what other programs write, on Windows for example.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/text_source.hpp"

namespace torchgate::base {

/// SOURCE as UTF-8 without a byte order mark. UTF-16 is known by its mark, or by a zero byte beside the first character (PowerShell's `>` writes UTF-16 with
/// a mark); what is not UTF-16 becomes U+FFFD. Anything else passes unchanged.
TextSource utf8_of(TextSource source);

/// The same of a whole TEXT.
std::string utf8_of(std::string text);

}  // namespace torchgate::base
