// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/degradation.hpp"

namespace torchgate::serving {

void Degradation::enter(ServingState state) {
  good_ = 0;
  if (state == state_) return;
  state_ = state;
  ++changes_;
}

ServingState Degradation::observe(std::chrono::nanoseconds waited, std::size_t queued) {
  if (waited > policy_.shed_above && queued > policy_.shed_queue) {
    enter(ServingState::shed);
  } else if (waited > policy_.enter_above) {
    if (state_ == ServingState::full) enter(ServingState::lite);
    good_ = 0;
  } else if (state_ != ServingState::full) {
    const auto limit = state_ == ServingState::shed ? policy_.shed_above : policy_.enter_above;
    const auto good_below = std::chrono::duration<double, std::nano>(limit) * policy_.leave_below;
    good_ = waited < good_below ? good_ + 1 : 0;
    if (good_ >= policy_.good_batches) enter(state_ == ServingState::shed ? ServingState::lite : ServingState::full);
  }
  return state_;
}

}  // namespace torchgate::serving
