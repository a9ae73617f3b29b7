// SPDX-License-Identifier: Apache-2.0
// What a TOML text may ask of its parser. toml++ and the tree made of it recurse once per level, and a key of 300,000 dotted
// parts is 300,000 levels: so this is checked on the text, before it is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::policy {

/// bad_input, "WHERE:LINE: what there is too much of"; nothing when the text may be parsed. It need not be valid TOML.
std::optional<base::Error> too_much_toml(std::string_view text, const std::string& where);

}  // namespace torchgate::policy
