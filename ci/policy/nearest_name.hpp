// SPDX-License-Identifier: Apache-2.0
// The known names that are most similar to an unknown one.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::policy {

/// Insertions, deletions and substitutions of single bytes that turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most MOST of the known names, the nearest first; equally near ones in their own order.
std::vector<std::string> nearest_names(std::string_view name, const std::set<std::string>& known, std::size_t most);

}  // namespace torchgate::policy
