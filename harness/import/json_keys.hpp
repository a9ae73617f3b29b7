// SPDX-License-Identifier: Apache-2.0
// What the beginning of a JSON file shows of it.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace torchgate::import {

/// The keys of the outermost object of HEAD, as far as they are in it; none: it is not an object.
std::set<std::string, std::less<>> outer_keys(std::string_view head);

/// KEY in its quotes occurs in HEAD.
bool mentions(std::string_view head, std::string_view key);

}  // namespace torchgate::import
