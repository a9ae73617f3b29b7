// SPDX-License-Identifier: Apache-2.0
#include "suites/batching/batch_search.hpp"

#include <new>

namespace torchgate::suites {
namespace {

bool has_room(const Fits& fits, std::int64_t batch) {
  try {
    return fits(batch);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

FoundBatch search_linearly(std::int64_t largest, const Fits& fits) {
  FoundBatch found;
  while (found.batch < largest) {
    ++found.probes;
    if (!has_room(fits, found.batch + 1)) break;
    ++found.batch;
  }
  return found;
}

FoundBatch search_by_halves(std::int64_t largest, const Fits& fits) {
  FoundBatch found;
  std::int64_t too_large = largest + 1;
  while (too_large - found.batch > 1) {
    const std::int64_t middle = found.batch + (too_large - found.batch) / 2;
    ++found.probes;
    (has_room(fits, middle) ? found.batch : too_large) = middle;
  }
  return found;
}

}  // namespace torchgate::suites
