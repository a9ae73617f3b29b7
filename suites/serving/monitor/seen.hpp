// SPDX-License-Identifier: Apache-2.0
// What the parts of a monitor are told of a request.
#pragma once

#include <cstdint>
#include <string_view>

namespace torchgate::monitor {

enum class Outcome : std::uint8_t { ok, shed, failed };
enum class Model : std::uint8_t { full, lite, canary };

inline constexpr std::string_view outcome_names[] = {"ok", "shed", "failed"};
inline constexpr std::string_view model_names[] = {"full", "lite", "canary"};

struct Seen {
  std::uint64_t id = 0;
  std::int64_t latency_ns = 0;
  std::int64_t batch = 0;   ///< requests in its batch; 0 for one that was shed
  std::int64_t queued = 0;  ///< requests that were waiting when its batch began
  Outcome outcome = Outcome::ok;
  Model model = Model::full;
  std::int32_t state = 0;  ///< of degradation: 0 full, 1 lite, 2 shed
};

}  // namespace torchgate::monitor
