// SPDX-License-Identifier: Apache-2.0
// Which requests a new model gets: a share of the identifiers, always the same ones.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/base/fnv1a.hpp"

namespace torchgate::serving {

/// A share in hundredths of a per cent.
struct BasisPoints {
  std::int64_t value = 0;
  static constexpr std::int64_t all = 10'000;
};

/// Whether the request belongs to the share. Those of a smaller share belong to every larger one.
constexpr bool is_in_share(std::string_view request, BasisPoints share) {
  // The lowest bits of FNV-1a vary least between short names: the upper half decides.
  return static_cast<std::int64_t>((base::fnv1a(request) >> 32U) % static_cast<std::uint64_t>(BasisPoints::all)) <
         share.value;
}

}  // namespace torchgate::serving
