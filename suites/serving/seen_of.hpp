// SPDX-License-Identifier: Apache-2.0
// What the server says of a request, in the words of the monitor: neither of the two knows the other.
#pragma once

#include <cstdint>

#include "suites/serving/monitor/seen.hpp"
#include "suites/serving/server/request.hpp"

namespace torchgate::suites::serving {

inline monitor::Seen seen_of(const torchgate::serving::RequestSeen& seen) {
  return {seen.id,
          seen.latency().count(),
          static_cast<std::int64_t>(seen.batch),
          static_cast<std::int64_t>(seen.queued),
          static_cast<monitor::Outcome>(seen.outcome),
          static_cast<monitor::Model>(seen.level),
          static_cast<std::int32_t>(seen.state)};
}

}  // namespace torchgate::suites::serving
