// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/queue_ahead.hpp"

#include <algorithm>

namespace torchgate::bench {

bool QueueAhead::again(bool behind, std::int64_t queuing_ns) {
  if (!behind) {
    behind_in_a_row_ = 0;
    was_enough_ = true;
    return false;
  }
  if (gave_up_) return false;
  ++behind_in_a_row_;
  // This hold was long enough before, so the host was interrupted; a permanently longer hold would cost more than a
  // repeated sample.
  if (was_enough_ && behind_in_a_row_ == 1) return true;
  was_enough_ = false;
  // A call that waits for the device always takes longer than the hold, so no hold is long enough for it.
  const std::int64_t next_ns = std::max(hold_ns_, settings_.hold_factor * queuing_ns);
  if (behind_in_a_row_ > settings_.hold_attempts || next_ns > settings_.hold_most_ns) {
    gave_up_ = true;
    hold_ns_ = 0;
  } else {
    hold_ns_ = next_ns;
  }
  return true;
}

}  // namespace torchgate::bench
