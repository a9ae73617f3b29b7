// SPDX-License-Identifier: Apache-2.0
// Whether a case can be measured here.
#pragma once

#include <optional>
#include <string>

#include "harness/bench/ranks/world.hpp"
#include "harness/bench/run/backend.hpp"
#include "harness/bench/run/group_cases.hpp"

namespace torchgate::bench {

/// Why the first of NEEDS that is about a case with these arguments is not met here; absent: all are. A test that throws is an unmet requirement.
std::optional<std::string> first_unmet(const std::vector<Need>& needs, const Args& args, const Backend& backend);

/// Why this case cannot run here; absent if it can. A variant whose reference cannot run cannot be checked, and cannot
/// run either.
std::optional<std::string> cannot_run(const GroupCases& group, const CaseInstance& instance, const Backend& backend);

/// Why this number of ranks cannot measure the group; absent if it can.
std::optional<std::string> wrong_world(const GroupCases& group, const World& world);

/// Throws std::runtime_error if the call returns nothing although its output is compared or checked.
void require_output(const CaseInstance& instance, const Timed& timed);

}  // namespace torchgate::bench
