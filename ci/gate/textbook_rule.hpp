// SPDX-License-Identifier: Apache-2.0
// `--rule textbook`: the verdict is the textbook's, on the samples as given, unconfirmed.
#pragma once

#include "ci/gate/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Replaces verdict, p, d and effect of a timed finding by what its textbook answer says.
void apply_textbook(reports::Finding& finding, const Policy& policy);

}  // namespace torchgate::gate
