// SPDX-License-Identifier: Apache-2.0
#include "harness/base/creation_time.hpp"

#include <array>
#include <cstddef>
#include <ctime>

namespace torchgate::base {

bool is_from_the_future(std::string_view created, std::chrono::system_clock::time_point now) {
  const std::time_t latest = std::chrono::system_clock::to_time_t(now + largest_clock_skew);
  std::tm utc{};
  gmtime_r(&latest, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  // Fields of fixed width, the largest first: texts compare as the times do. Within the last second all are equal.
  return created.substr(0, length) > std::string_view(text.data(), length);
}

Result<void> check_creation_time(const std::string& name, const std::string& created) {
  if (!is_from_the_future(created)) return {};
  return Error{ErrorCode::bad_input, name + ": its time, " + created + ", " + from_the_future};
}

}  // namespace torchgate::base
