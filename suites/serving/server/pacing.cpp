// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/pacing.hpp"

#include <algorithm>

namespace torchgate::serving {

const BatchPolicy& Pacing::observe(std::chrono::nanoseconds slowest) {
  worst_ = std::max(worst_, slowest);
  if (++seen_ < policy_.batches_per_step) return now_;
  const double ratio = static_cast<double>(worst_.count()) / static_cast<double>(policy_.target.count());
  const BatchPolicy before = now_;
  if (ratio > policy_.reduce_above) {
    now_.largest = std::max(policy_.smallest, now_.largest / 2);
    now_.timeout /= 2;
  } else if (ratio < policy_.restore_below) {
    now_.largest = std::min(full_.largest, now_.largest * 2);
    now_.timeout = std::min(full_.timeout, now_.timeout * 2);
  }
  if (now_.largest != before.largest || now_.timeout != before.timeout) ++steps_;
  worst_ = {};
  seen_ = 0;
  return now_;
}

}  // namespace torchgate::serving
