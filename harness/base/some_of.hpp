// SPDX-License-Identifier: Apache-2.0
// A list in a message, which has room for a few of hundreds: "a, b, c and 2 more".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/base/counted.hpp"

namespace torchgate::base {

/// The first MOST of TEXTS, by comma, and the number of the others.
template <class Texts>
std::string some_of(const Texts& texts, std::size_t most) {
  std::string list;
  std::size_t named = 0;
  for (const auto& each : texts) {
    if (named == most) return list + " and " + grouped(static_cast<std::int64_t>(texts.size() - named)) + " more";
    list += (named++ == 0 ? "" : ", ");
    list += each;
  }
  return list;
}

}  // namespace torchgate::base
