// SPDX-License-Identifier: Apache-2.0
// Short texts of the command line and the environment: "KEY RS VALUE", and each value alone as whatever else takes one.
#include <cmath>
#include <optional>

#include "ci/policy/policy.hpp"
#include "ci/policy/waiver_of_finding.hpp"
#include "ci/policy/waivers.hpp"
#include "ci/workflow/measure/shard_plan.hpp"
#include "harness/bench/ranks/world_environment.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(policy_text) {
  const auto parts = fuzz::parts_of(input, 2);
  const std::string key(parts.front());
  const std::string value(parts.back());
  policy::Policy policy;
  const auto set = policy::set_policy(policy, key, value, "command line");
  if (set) fuzz::accepted();
  fuzz::require(set.ok() || !set.error().message.empty(), "an error has a message");
  for (const policy::PolicyKey& each : policy::policy_keys()) {
    policy::Policy one;
    if (!each.set(one, value)) (void)each.get(one);
  }
  if (const auto shard = workflow::parse_shard(value))
    fuzz::require(shard->first >= 1 && shard->first <= shard->second && shard->second >= 2, "shard i of n");
  if (const auto date = policy::parse_date(value))
    fuzz::require(policy::date_text(*date) == value, "a date is written as it is read");
  const auto today = std::chrono::year_month_day(std::chrono::year(2026), std::chrono::month(1), std::chrono::day(1));
  if (const auto expiry = policy::waiver_expiry(value, today)) fuzz::require(*expiry >= today, "an expiry is not past");
  for (const bool exact : {false, true})
    if (const auto ceiling = policy::waiver_ceiling(value, 0.05, exact))
      fuzz::require(std::isfinite(*ceiling) && *ceiling > 0, "a ceiling is a number above 0");
  (void)bench::world_place([&](const char*) { return std::optional(value); });
}
