// SPDX-License-Identifier: Apache-2.0
// Waivers of made runs, and a policy that has them.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "ci/policy/policy.hpp"

namespace torchgate::gate::testing {

inline constexpr std::chrono::year_month_day today{std::chrono::year(2026), std::chrono::November,
                                                   std::chrono::day(21)};
inline constexpr std::chrono::year_month_day expires_later{std::chrono::year(2027), std::chrono::January,
                                                           std::chrono::day(31)};

inline policy::Waiver waiver(const std::string& name, double ceiling,
                             std::chrono::year_month_day expires = expires_later, const std::string& metric = "time") {
  return {name, metric, ceiling, "better output", expires, {}, {}, ""};
}

inline policy::Policy policy_with(std::vector<policy::Waiver> waivers) {
  policy::Policy policy;
  for (std::size_t i = 0; i < waivers.size(); ++i)
    waivers[i].place = "torchgate-waivers.toml:" + std::to_string(1 + 7 * i);
  policy.waivers = std::move(waivers);
  policy.today = today;
  return policy;
}

}  // namespace torchgate::gate::testing
