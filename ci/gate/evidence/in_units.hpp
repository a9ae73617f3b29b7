// SPDX-License-Identifier: Apache-2.0
// Values that have no logarithm: a rate that fell to 0, bytes that grew from 0, a value that changed its sign. They are judged by the
// same rules as differences in their unit, as shares of the largest value of both sides, so that the margins keep their meaning.
#pragma once

#include <optional>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// Replaces the logarithms of both sides by such shares where one of their values is 0 or less. Absent: all have logarithms.
std::optional<InUnits> judge_in_units(ProcessValues& before, ProcessValues& after);

/// The same for a stored run that is pooled with the one in front of it.
void use_units(const InUnits& units, ProcessValues& values);

/// Every process of both sides has 0: equal, and no rule has anything to weigh.
bool all_zero(const ProcessValues& before, const ProcessValues& after);

}  // namespace torchgate::gate
