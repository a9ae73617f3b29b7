// SPDX-License-Identifier: Apache-2.0
// Which practices the models of a run follow, by what the run recorded. A pure function.
#pragma once

#include "harness/record/run.hpp"
#include "reports/model_advice.hpp"

namespace torchgate::advise {

/// All practices: first those that are not followed, that which saves most at the top, then the others by category. A run without evidence has
/// "not applicable" for each, with what is missing, and no score.
reports::ModelAdvice advise(const record::Run& run);

}  // namespace torchgate::advise
