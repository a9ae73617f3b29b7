// SPDX-License-Identifier: Apache-2.0
// From findings to pass or fail: what each verdict does under the policy, and what the report says first.
#pragma once

#include <string>

#include "ci/gate/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

reports::GateEffect effect_of(Action action);

/// Sets what the verdict does, for verdicts whose effect does not depend on numbers.
void set_plain_effect(reports::Finding& finding, const Policy& policy);

/// Sets what a confirmed regression or an improvement does: fail from the gate on, warn below.
void set_confirmed_effect(reports::Finding& finding, const Policy& policy);

/// Sorts findings, counts, and fills outcome and headline. `judged_any`: at least one case could be compared.
/// `incomplete`: why a pass cannot be said (incomplete_because()); empty: it can.
void conclude(reports::Report& report, const std::string& incomplete);

}  // namespace torchgate::gate
