// SPDX-License-Identifier: Apache-2.0
// What a request may ask for: numbers of a plan that came from a file have the limits of flags.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <vector>

#include "harness/base/limits.hpp"
#include "harness/launch/launcher.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using testing::fake_request;

TEST(RequestLimits, ListingCountsTowardsTheTotalLimit) {
  Request request = fake_request("slow,ok");
  request.plan.total_limit_s = 1e-6;
  Observer silent;
  const auto refused = measure(request, silent);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "not listed: the run reached its time limit before");
}

TEST(RequestLimits, NumbersBeyondAnyFlagAreRefused) {
  for (const auto& set : std::vector<std::function<void(record::Plan&)>>{
           [](record::Plan& plan) { plan.processes = base::max_processes_per_group + 1; },
           [](record::Plan& plan) { plan.processes = std::numeric_limits<std::int64_t>::max(); },
           [](record::Plan& plan) { plan.shards = std::numeric_limits<std::int64_t>::max(); },
           [](record::Plan& plan) { plan.group_limit_s = 1e300; },
           [](record::Plan& plan) { plan.total_limit_s = std::numeric_limits<double>::infinity(); }}) {
    Request request = fake_request("ok");
    set(request.plan);
    Observer silent;
    const auto refused = measure(request, silent);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::ErrorCode::bad_input) << refused.error().message;
  }
}

}  // namespace
}  // namespace torchgate::launch
