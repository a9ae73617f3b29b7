// SPDX-License-Identifier: Apache-2.0
#include "reports/time_scale.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/base/timestamp.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t day_digits = 10;  // "2026-03-01"
constexpr double seconds_per_day = 86400;

}  // namespace

std::vector<std::int64_t> drawn_seconds(const std::vector<HistoryRun>& runs) {
  std::vector<std::int64_t> seconds;
  seconds.reserve(runs.size());
  for (const HistoryRun& run : runs) {
    const auto time = base::utc_seconds(run.created);
    if (!time) return {};
    seconds.push_back(time->time_since_epoch().count());
  }
  for (std::size_t i = seconds.size(); i-- > 1;) seconds[i - 1] = std::min(seconds[i - 1], seconds[i]);
  return seconds;
}

TimeScale::TimeScale(const std::vector<HistoryRun>& runs) : seconds_(drawn_seconds(runs)), runs_(runs.size()) {
  if (seconds_.empty() || seconds_.front() == seconds_.back()) seconds_.clear();
}

double TimeScale::share(std::size_t run) const {
  if (!seconds_.empty()) return *share_of(seconds_[run]);
  return runs_ < 2 ? 0 : static_cast<double>(run) / static_cast<double>(runs_ - 1);
}

std::optional<double> TimeScale::share_of(std::int64_t seconds) const {
  if (seconds_.empty()) return std::nullopt;
  return static_cast<double>(seconds - seconds_.front()) / static_cast<double>(seconds_.back() - seconds_.front());
}

std::string TimeScale::day_at(double share) const {
  if (seconds_.empty()) return {};
  const double length = static_cast<double>(seconds_.back() - seconds_.front());
  return day_of(seconds_.front() + std::llround(share * length));
}

double TimeScale::days() const {
  return seconds_.empty() ? 0 : static_cast<double>(seconds_.back() - seconds_.front()) / seconds_per_day;
}

std::optional<std::int64_t> seconds_of_day(std::string_view day) {
  if (day.size() != day_digits) return std::nullopt;
  const auto time = base::utc_seconds(std::string(day) + "T00:00:00Z");
  if (!time) return std::nullopt;
  return time->time_since_epoch().count();
}

std::string day_of(std::int64_t seconds) {
  using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;
  return base::utc_timestamp(Milliseconds(std::chrono::seconds(seconds))).substr(0, day_digits);
}

std::string day_of(const HistoryRun& run) {
  return run.created.substr(0, day_digits);
}

}  // namespace torchgate::reports
