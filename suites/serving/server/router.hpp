// SPDX-License-Identifier: Apache-2.0
// Which requests a new model gets: a share of the identifiers, always the same ones.
#pragma once

#include <cstdint>
#include <string_view>

namespace torchgate::serving {

/// FNV-1a, 64 bits [Fowler, Noll, Vo]: the same on every machine and in every version, unlike std::hash.
constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

/// A share in hundredths of a per cent.
struct BasisPoints {
  std::int64_t value = 0;
  static constexpr std::int64_t all = 10'000;
};

/// Whether the request belongs to the share. Those of a smaller share belong to every larger one.
constexpr bool is_in_share(std::string_view request, BasisPoints share) {
  // The lowest bits of FNV-1a vary least between short names: the upper half decides.
  return static_cast<std::int64_t>((fnv1a(request) >> 32U) % static_cast<std::uint64_t>(BasisPoints::all)) <
         share.value;
}

}  // namespace torchgate::serving
