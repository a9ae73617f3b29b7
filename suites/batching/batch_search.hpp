// SPDX-License-Identifier: Apache-2.0
// The largest batch that fits into a budget of memory.
#pragma once

#include <cstdint>
#include <functional>

namespace torchgate::suites {

/// Whether a batch of that many rows fits: one probe of a search. One that throws std::bad_alloc does not; what else it throws ends the
/// search.
using Fits = std::function<bool(std::int64_t batch)>;

struct FoundBatch {
  std::int64_t batch = 0;  ///< 0: not even one row fits
  std::int64_t probes = 0;
};

/// Tries 1, 2, 3 ... up to `largest` rows, and stops at the first batch that does not fit.
FoundBatch search_linearly(std::int64_t largest, const Fits& fits);

/// Halves the range in every probe. REQUIRES: a batch that is smaller than one that fits, fits.
FoundBatch search_by_halves(std::int64_t largest, const Fits& fits);

}  // namespace torchgate::suites
