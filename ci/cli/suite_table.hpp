// SPDX-License-Identifier: Apache-2.0
// One line per suite: what it has, and how long it takes.
#pragma once

#include <string>

#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

/// "  fusion  5 groups  29 cases  29 skipped  about 1 min 15 s" for each suite that would run.
std::string suite_table(const launch::Forecast& forecast);

/// The same for what a run measured, with the time that the processes of each suite took together.
std::string suite_table(const record::Run& run);

}  // namespace torchgate::cli
