// SPDX-License-Identifier: Apache-2.0
// What a mistyped word was meant to be.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace torchgate::cli {

/// The known word that is nearest to TYPED; empty where none is so near that a typing error explains it: one in three letters and one more
/// by edit distance.
std::string nearest_word(std::string_view typed, const std::set<std::string>& known);

/// "; did you mean WORD?", or nothing.
std::string suggestion(std::string_view typed, const std::set<std::string>& known);

}  // namespace torchgate::cli
