// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/throttle_guard.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "harness/base/counted.hpp"

namespace torchgate::bench {

std::optional<double> clock_mhz(const std::optional<ClockReading>& reading, const DeviceTraits& traits,
                                const DeviceSettings& settings) {
  constexpr double cycles_per_ns_in_mhz = 1e3;
  if (!reading || !(reading->cycles > 0)) return std::nullopt;
  if (!(reading->ns > 0) || reading->ns < settings.least_timer_steps * traits.timer_step_ns) return std::nullopt;
  return reading->cycles / reading->ns * cycles_per_ns_in_mhz;
}

base::Result<std::optional<double>> locked_clock_mhz(const char* text) {
  if (text == nullptr) return std::optional<double>();
  const char* end = text + std::strlen(text);
  double mhz = 0;
  const auto [rest, failed] = std::from_chars(text, end, mhz);
  if (failed == std::errc{} && rest == end && mhz > 0 && std::isfinite(mhz)) return std::optional<double>(mhz);
  std::string message = locked_clock_variable;
  message.append(": invalid; expected the locked clock of the device in MHz, found \"").append(text).append("\"");
  return base::Error{base::ErrorCode::bad_input, std::move(message)};
}

bool ThrottleGuard::keeps(const std::optional<double>& mhz) {
  if (mhz && traits_.expected_clock_mhz && *mhz < settings_.least_clock_share * *traits_.expected_clock_mhz) {
    slowest_mhz_ = discarded_ == 0 ? *mhz : std::min(slowest_mhz_, *mhz);
    ++discarded_;
    ++in_a_row_;
    return false;
  }
  ++kept_;
  in_a_row_ = 0;
  return true;
}

std::int64_t ThrottleGuard::pause_ns() const {
  return std::min(settings_.pause_most_ns, settings_.pause_ns * in_a_row_);
}

std::optional<std::string> ThrottleGuard::invalid(std::int64_t wanted) const {
  // If `wanted` samples are kept in the end, the discarded share is discarded / (discarded + wanted).
  const auto discarded = static_cast<double>(discarded_);
  if (discarded <= settings_.most_discarded_share * (discarded + static_cast<double>(wanted))) return std::nullopt;
  const auto whole = [](double value) { return std::to_string(std::llround(value)); };
  return base::counted(discarded_, "sample", "samples") + " ran below " + whole(settings_.least_clock_share * 100) +
         " % of the expected clock (down to " + whole(slowest_mhz_) + " of " +
         whole(traits_.expected_clock_mhz.value_or(0)) + " MHz), more than " +
         whole(settings_.most_discarded_share * 100) +
         " %; cool the device, or find the cause; if its clock is locked at a lower frequency, set " +
         locked_clock_variable;
}

}  // namespace torchgate::bench
