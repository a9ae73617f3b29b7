// SPDX-License-Identifier: Apache-2.0
// What a server gives up under overload: first the full model, then requests.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace torchgate::serving {

enum class ServingState : std::uint8_t {
  full,  ///< the full model answers
  lite,  ///< a cheaper model answers
  shed,  ///< the cheaper model answers, and requests that find a long queue are refused
};

struct DegradationPolicy {
  /// A batch whose oldest request waited longer than this makes the server leave the full model.
  std::chrono::nanoseconds enter_above = std::chrono::milliseconds(500);
  /// ... and longer than this makes it refuse requests, as long as more than `shed_queue` are waiting.
  std::chrono::nanoseconds shed_above = std::chrono::milliseconds(1000);
  std::size_t shed_queue = 64;
  /// A good batch waited less than this part of the limit that was exceeded: half, so that a load at the limit does not alternate.
  double leave_below = 0.5;
  /// So many good batches in a row lead back by one state.
  int good_batches = 5;
};

/// Decides by batches only: the same observations give the same states, whatever the clock.
class Degradation {
 public:
  explicit Degradation(DegradationPolicy policy) : policy_(policy) {}

  /// A batch is formed whose oldest request waited for `waited`, and `queued` requests are left. Returns the state for it.
  ServingState observe(std::chrono::nanoseconds waited, std::size_t queued);
  /// Whether a new request is refused when so many are waiting.
  [[nodiscard]] bool sheds(std::size_t queued) const {
    return state_ == ServingState::shed && queued > policy_.shed_queue;
  }
  [[nodiscard]] ServingState state() const { return state_; }
  /// How often the state changed.
  [[nodiscard]] std::int64_t changes() const { return changes_; }

 private:
  void enter(ServingState state);

  DegradationPolicy policy_;
  ServingState state_ = ServingState::full;
  int good_ = 0;
  std::int64_t changes_ = 0;
};

}  // namespace torchgate::serving
