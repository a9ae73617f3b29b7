// SPDX-License-Identifier: Apache-2.0
// Text of unknown origin, made safe for a message: short, one line, UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace torchgate::base {

/// At most 60 bytes of it; '?' for control characters, for invisible characters and those that change the direction
/// of text, and for what is not UTF-8.
std::string shown(std::string_view text);

/// The same in quotes.
std::string in_quotes(std::string_view text);

/// The same as a token of a JSON pointer (RFC 6901).
std::string shown_pointer_token(std::string_view key);

}  // namespace torchgate::base
