// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/count/event_counter.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace torchgate::bench {

base::Result<EventCounter> EventCounter::open(std::uint32_t type, std::uint64_t config) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = config;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (descriptor < 0)
    return base::Error{base::ErrorCode::io, std::string("perf_event_open failed: ") + std::strerror(errno)};
  return EventCounter(static_cast<int>(descriptor));
}

EventCounter::EventCounter(EventCounter&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

EventCounter::~EventCounter() {
  if (descriptor_ >= 0) close(descriptor_);
}

void EventCounter::start() {
  ioctl(descriptor_, PERF_EVENT_IOC_ENABLE, 0);
}

void EventCounter::stop() {
  ioctl(descriptor_, PERF_EVENT_IOC_DISABLE, 0);
}

std::optional<std::uint64_t> EventCounter::count() const {
  struct {
    std::uint64_t value, enabled_ns, running_ns;
  } now{};
  if (read(descriptor_, &now, sizeof now) != static_cast<ssize_t>(sizeof now)) return std::nullopt;
  if (now.running_ns < now.enabled_ns) return std::nullopt;
  return now.value;
}

}  // namespace torchgate::bench
