// SPDX-License-Identifier: Apache-2.0
// Which practices the models of a run follow, by what the run recorded. A pure function.
#pragma once

#include "harness/record/run.hpp"
#include "reports/model_advice.hpp"

namespace torchgate::advise {

/// All practices, by category. A run without evidence has sixteen times "not applicable", and no score.
reports::ModelAdvice advise(const record::Run& run);

}  // namespace torchgate::advise
