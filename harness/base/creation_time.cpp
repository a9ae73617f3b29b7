// SPDX-License-Identifier: Apache-2.0
#include "harness/base/creation_time.hpp"

#include <cstddef>

#include "harness/base/timestamp.hpp"

namespace torchgate::base {

std::string latest_creation_time(std::chrono::system_clock::time_point now) {
  return utc_timestamp(now + largest_clock_skew);
}

bool is_from_the_future(std::string_view created, std::chrono::system_clock::time_point now) {
  constexpr std::size_t to_the_second = 19;
  // Fields of fixed width, the largest first: texts compare as the times do. Within the last second all are equal.
  return created.substr(0, to_the_second) > latest_creation_time(now).substr(0, to_the_second);
}

Result<void> check_creation_time(const std::string& name, const std::string& created) {
  if (!is_from_the_future(created)) return {};
  return Error{ErrorCode::bad_input, name + ": its time, " + created + ", " + from_the_future};
}

}  // namespace torchgate::base
