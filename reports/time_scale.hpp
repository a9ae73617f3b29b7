// SPDX-License-Identifier: Apache-2.0
// The time axis of a history: where its runs, and other times, lie between the oldest and the newest run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history.hpp"

namespace torchgate::reports {

/// When each run is drawn: when it was measured, but not after a run that follows it (an old commit that was measured later stands before
/// newer ones). Empty: a run has no time.
std::vector<std::int64_t> drawn_seconds(const std::vector<HistoryRun>& runs);

/// True to time where each run has a time and they do not all have the same one; else runs are equal steps apart.
class TimeScale {
 public:
  /// RUNS are oldest first.
  explicit TimeScale(const std::vector<HistoryRun>& runs);

  [[nodiscard]] bool is_true_to_time() const { return !seconds_.empty(); }

  /// From 0, the oldest run, to 1, the newest. REQUIRES: a run of those given.
  [[nodiscard]] double share(std::size_t run) const;

  /// The same of a time in seconds since 1970; below 0 and above 1 outside of the runs. Absent where the axis is not true to time.
  [[nodiscard]] std::optional<double> share_of(std::int64_t seconds) const;

  /// The day at SHARE, "2026-03-01", UTC; empty where the axis is not true to time.
  [[nodiscard]] std::string day_at(double share) const;

  /// Days between the oldest and the newest run; 0 where the axis is not true to time.
  [[nodiscard]] double days() const;

 private:
  std::vector<std::int64_t> seconds_;  ///< of each run; empty: not true to time
  std::size_t runs_;
};

/// Midnight, UTC, of a day "2026-03-01", in seconds since 1970; absent: not a day.
std::optional<std::int64_t> seconds_of_day(std::string_view day);

/// "2026-03-01", UTC.
std::string day_of(std::int64_t seconds);
std::string day_of(const HistoryRun& run);

}  // namespace torchgate::reports
