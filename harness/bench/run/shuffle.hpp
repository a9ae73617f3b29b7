// SPDX-License-Identifier: Apache-2.0
// A random order that is the same on every platform.
#pragma once

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace torchgate::bench {

/// Fisher-Yates with the standard's fully specified generator: std::shuffle differs from library to library.
template <class T>
void shuffle(std::vector<T>& items, std::mt19937_64& generator) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[generator() % i]);
}

}  // namespace torchgate::bench
