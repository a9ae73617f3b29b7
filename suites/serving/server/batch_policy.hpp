// SPDX-License-Identifier: Apache-2.0
// When a batch is formed: as soon as it is full, or when its oldest request has waited long enough.
#pragma once

#include <chrono>
#include <cstddef>

namespace torchgate::serving {

struct BatchPolicy {
  std::size_t largest = 32;
  /// 10 ms: a tenth of the 100 ms that a request may take.
  std::chrono::nanoseconds timeout = std::chrono::milliseconds(10);
};

/// Whether QUEUED requests, the oldest of which has waited for OLDEST, are a batch now.
constexpr bool is_batch(std::size_t queued, std::chrono::nanoseconds oldest, const BatchPolicy& policy) {
  return queued >= policy.largest || (queued > 0 && oldest >= policy.timeout);
}

}  // namespace torchgate::serving
