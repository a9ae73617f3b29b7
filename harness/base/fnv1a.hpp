// SPDX-License-Identifier: Apache-2.0
// FNV-1a, 64 bits [Fowler, Noll, Vo]: the same on every machine and in every version, unlike std::hash.
#pragma once

#include <cstdint>
#include <string_view>

namespace torchgate::base {

inline constexpr std::uint64_t fnv1a_start = 14695981039346656037ULL;

/// START: the hash of what comes before TEXT, so that several texts are hashed as one.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t start = fnv1a_start) noexcept {
  constexpr std::uint64_t prime = 1099511628211ULL;
  for (const char c : text) start = (start ^ static_cast<unsigned char>(c)) * prime;
  return start;
}

}  // namespace torchgate::base
