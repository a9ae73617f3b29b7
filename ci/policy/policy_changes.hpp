// SPDX-License-Identifier: Apache-2.0
// What a change of the policy comes to, for a report that is judged by the policy from before the change.
#pragma once

#include <string>

#include "ci/policy/policy.hpp"

namespace torchgate::policy {

/// "gate.latency 0.05 -> 0.5; 1 [[case]] table added; 1 waiver added"; empty when both judge alike. Where tables stand in a
/// file makes no difference, but the order of [[case]] tables does.
std::string policy_changes(const Policy& before, const Policy& after);

}  // namespace torchgate::policy
