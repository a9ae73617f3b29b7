// SPDX-License-Identifier: Apache-2.0
// A case whose samples are taken in turns with another process: who says when, and what it is told.
#pragma once

#include <cstdint>
#include <optional>

namespace torchgate::bench {

/// A sample in turns is at least this long, so that a turn of 8 ms is 40 samples: more would be stored and say nothing more.
inline constexpr std::int64_t turn_sample_least_ns = 200'000;

/// The first sample of a turn is not recorded where this many fit into it: caches and clocks are the other process's until then. Of a turn
/// of few long samples none is dropped; the work that warms up is then a small part of each.
inline constexpr std::int64_t samples_to_drop_one = 8;

/// A sample is near the floor when it exceeds the smallest by at most this share: the spread of undisturbed calls of one process on a
/// machine with neighbours (shared recordings: half of the blocks lie within it; tests/studies/turns_study.py).
inline constexpr double near_floor_ratio = 1.015;

class TurnGiver {
 public:
  virtual ~TurnGiver() = default;

  struct Ready {
    std::int64_t sample_ns = 0;  ///< about
    std::int64_t budget_ns = 0;  ///< of all turns of the case: more is not bearable
  };
  /// Warm-up has ended.
  virtual void ready(const Ready& ready) = 0;

  /// Waits for the next turn, and says how long it shall be (ns); absent: there are no more.
  virtual std::optional<std::int64_t> next_turn() = 0;

  struct Took {
    std::int64_t samples = 0;     ///< of this turn, at least 1
    std::int64_t near_floor = 0;  ///< samples of all turns that are near the smallest of them
    std::int64_t spent_ns = 0;    ///< in this turn, with the pauses of a device that was too hot
  };
  /// The turn has ended, and the device is idle.
  virtual void took(const Took& took) = 0;
};

}  // namespace torchgate::bench
