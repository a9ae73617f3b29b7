// SPDX-License-Identifier: Apache-2.0
// The policy's stage: what a decision does to the build.
#pragma once

#include <string>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

reports::GateAction action_of(policy::Action action);

/// What a decision does under OWN, the policy of its case.
reports::GateAction action_of(const Judged& judged, const policy::CaseSettings& own);

/// A count of memory that grew by at least what the policy allows: also from 0, and where a count that is lost or varies does not exclude it.
bool memory_grew(const Judged& judged, const policy::CaseSettings& own);

/// A count that got worse, and that its suite gates (Group::gates()). The policy may name the metric and decide otherwise.
bool gated_by_suite(const Judged& judged);

/// A regression that stays below the gate.
bool below_gate(const Judged& judged, const policy::CaseSettings& own);

/// Sets the action, and gives the reason where a regression is real and does not fail.
void settle_action(Judged& judged, const policy::CaseSettings& own);

}  // namespace torchgate::gate
